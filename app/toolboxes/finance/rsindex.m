function r = rsindex(prices, varargin)
% r = rsindex(prices, n): the relative strength index over n (14) changes; rsindex(prices, 'WindowSize', n).
n = 14;
if numel(varargin) == 1
    n = varargin{1};
elseif numel(varargin) == 2
    validatestring(varargin{1}, {'WindowSize'}, 'rsindex');
    n = varargin{2};
end
if isrow(prices), prices = prices(:); end
change = diff(prices);
r = NaN(size(prices));
for k = n:size(change, 1)
    part = change(k - n + 1:k, :);
    up = sum(max(part, 0), 1);
    down = sum(max(-part, 0), 1);
    r(k + 1, :) = 100*up./(up + down);
end
end
