function [price, value] = binprice(price0, strike, rate, time, step, volatility, flag, dividend, amount, exdiv)
% [price, value] = binprice(price, strike, rate, time, step, volatility, flag, dividend, amount, exdiv): Cox, Ross
%   and Rubinstein's tree of an American option; flag 1 for calls, 0 for puts. Amounts are paid at the steps exdiv.
if nargin < 8, dividend = 0; end
if nargin < 9, amount = 0; end
if nargin < 10, exdiv = 0; end
n = round(time/step);
up = exp(volatility*sqrt(step));
growth = exp((rate - dividend)*step);
p = (growth - 1/up)/(up - 1/up);
later = @(k) sum(amount(exdiv >= k).*exp(-rate*(exdiv(exdiv >= k) - k)*step));
start = price0 - later(0);
[price, value] = deal(zeros(n + 1));
for k = 0:n
    price(1:k + 1, k + 1) = start*up.^(k - 2*(0:k)') + later(max(k, 1e-9));
end
side = 2*flag - 1;
value(:, n + 1) = max(side*(price(:, n + 1) - strike), 0);
for k = n - 1:-1:0
    rows = 1:k + 1;
    held = exp(-rate*step)*(p*value(rows, k + 2) + (1 - p)*value(rows + 1, k + 2));
    value(rows, k + 1) = max(held, side*(price(rows, k + 1) - strike));
end
end
