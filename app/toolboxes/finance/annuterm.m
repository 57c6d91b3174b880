function n = annuterm(rate, payment, present, future, due)
% n = annuterm(rate, payment, present, future, due): how many payments make present (0 for loans: negative payments) future.
if nargin < 4, future = 0; end
if nargin < 5, due = 0; end
p = payment.*(1 + rate.*due);
n = log((p + future.*rate)./(p + present.*rate))./log(1 + rate);
still = rate == 0;
n(still) = (future - present)./payment;
end
