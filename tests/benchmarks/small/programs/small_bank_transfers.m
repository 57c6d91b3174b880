function r = small_bank_transfers()
acc = containers.Map(); names = {'ann', 'bob', 'cid', 'dora'};
for k = 1:numel(names), acc(names{k}) = struct('balance', 100 * k, 'log', {{}}); end
for k = 1:60
    from = names{mod(k, 4) + 1}; to = names{mod(k * 3 + 1, 4) + 1}; amount = mod(k * 37, 50);
    a = acc(from); if a.balance < amount || strcmp(from, to), continue, end
    a.balance = a.balance - amount; a.log{end+1} = sprintf('to %s: %d', to, amount); acc(from) = a;
    b = acc(to); b.balance = b.balance + amount; acc(to) = b;
end
r = 0; for k = 1:numel(names), a = acc(names{k}); r = r + k * a.balance + numel(a.log); end
end
