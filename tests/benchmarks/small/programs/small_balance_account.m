function r = small_balance_account()
a.balance = 100; a.log = []; for k = 1:400, if mod(k, 3), a.balance = a.balance + k; else, a.balance = a.balance - k; end, a.log(end+1) = a.balance; end
r = sum(a.log);
end
