function [mid, upper, lower] = bollinger(prices, varargin)
% [mid, upper, lower] = bollinger(prices, window, weight, nstd): moving averages over the window (20) with
%   bands of nstd (2) standard deviations; weight 0: all alike.
%   bollinger(prices, 'WindowSize', n, 'Type', w, 'NumStd', s) says the same.
[n, weight, s] = deal(20, 0, 2);
names = {'WindowSize', 'Type', 'NumStd'};
named = ~isempty(varargin) && (ischar(varargin{1}) || isstring(varargin{1}));
for k = 1 + named:1 + named:numel(varargin)
    if named, name = validatestring(varargin{k - 1}, names, 'bollinger'); else, name = names{k}; end
    switch name
        case 'WindowSize', n = varargin{k};
        case 'Type', weight = varargin{k};
        case 'NumStd', s = varargin{k};
    end
end
if isrow(prices), prices = prices(:); end
w = ((1:n).^weight)'/sum((1:n).^weight);
[mid, upper, lower] = deal(NaN(size(prices)));
for k = n:size(prices, 1)
    part = prices(k - n + 1:k, :);
    mid(k, :) = sum(w.*part, 1);
    reach = s*std(part, 0, 1);
    upper(k, :) = mid(k, :) + reach;
    lower(k, :) = mid(k, :) - reach;
end
end
