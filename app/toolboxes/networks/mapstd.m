function [y, ps] = mapstd(x, varargin)
% [y, ps] = mapstd(x, ymean, ystd): each row with the mean ymean (0) and the deviation ystd (1), and how.
%   mapstd('apply', x, ps), mapstd('reverse', y, ps) use it again.
if ischar(x) || isstring(x)
    ps = varargin{2};
    spread = ps.xstd;
    spread(spread == 0) = 1;
    v = varargin{1};
    switch validatestring(x, {'apply', 'reverse'}, 'mapstd')
        case 'apply', y = (v - ps.xmean)./spread*ps.ystd + ps.ymean;
        case 'reverse', y = (v - ps.ymean)/ps.ystd.*spread + ps.xmean;
    end
    return
end
[middle, deviation] = deal(0, 1);
if numel(varargin) > 0, middle = varargin{1}; end
if numel(varargin) > 1, deviation = varargin{2}; end
ps = struct('name', 'mapstd', 'xrows', size(x, 1), 'yrows', size(x, 1), 'xmean', mean(x, 2), 'xstd', std(x, 0, 2), ...
    'ymean', middle, 'ystd', deviation);
y = mapstd('apply', x, ps);
end
