function [line, signal] = macd(prices)
% [line, signal] = macd(prices): moving average convergence: the exponential average of 12 less that of 26, and
%   its average of 9.
if isrow(prices), prices = prices(:); end
line = averaged(prices, 12) - averaged(prices, 26);
signal = averaged(line, 9);
end

function y = averaged(x, n)
y = x;
for k = 2:size(x, 1), y(k, :) = y(k - 1, :) + 2/(n + 1)*(x(k, :) - y(k - 1, :)); end
end
