function [prices, times] = ret2tick(r, varargin)
% [prices, times] = ret2tick(r, start, steps, first, method): prices from returns in rows, beginning with start (1).
%   ret2tick(r, 'StartPrice', p, 'ReturnIntervals', s, 'StartTime', t, 'Method', m) says the same.
[start, steps, first, method] = deal(1, 1, 0, 'simple');
names = {'StartPrice', 'ReturnIntervals', 'StartTime', 'Method'};
named = ~isempty(varargin) && (ischar(varargin{1}) || isstring(varargin{1}));
for k = 1 + named:1 + named:numel(varargin)
    if named, name = validatestring(varargin{k - 1}, names, 'ret2tick'); else, name = names{k}; end
    if isempty(varargin{k}), continue, end
    switch name
        case 'StartPrice', start = varargin{k};
        case 'ReturnIntervals', steps = varargin{k};
        case 'StartTime', first = varargin{k};
        case 'Method', method = lower(validatestring(varargin{k}, {'simple', 'continuous'}, 'ret2tick'));
    end
end
if isrow(r), r = r(:); end
if strcmp(method, 'simple'), grown = cumprod(1 + r, 1); else, grown = exp(cumsum(r, 1)); end
prices = start(:)'.*[ones(1, size(r, 2)); grown];
times = first + [0; cumsum(steps(:).*ones(size(r, 1), 1))];
end
