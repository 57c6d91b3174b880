function [principal, interest, balance, payment] = amortize(rate, n, present, future, due)
% [principal, interest, balance, payment] = amortize(rate, n, present, future, due): each payment's parts and what is left.
if nargin < 4, future = 0; end
if nargin < 5, due = 0; end
payment = payper(rate, n, present, future, due);
[principal, interest, balance] = deal(zeros(1, n));
left = present;
for k = 1:n
    interest(k) = left*rate*~(due && k == 1);
    principal(k) = payment - interest(k);
    left = left - principal(k);
    balance(k) = left;
end
end
