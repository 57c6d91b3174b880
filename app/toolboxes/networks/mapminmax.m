function [y, ps] = mapminmax(x, varargin)
% [y, ps] = mapminmax(x, ymin, ymax): each row scaled to the range from ymin (-1) to ymax (1), and how.
%   mapminmax('apply', x, ps), mapminmax('reverse', y, ps) use it again.
if ischar(x) || isstring(x)
    ps = varargin{2};
    spread = ps.xmax - ps.xmin;
    spread(spread == 0) = 1;
    v = varargin{1};
    switch validatestring(x, {'apply', 'reverse'}, 'mapminmax')
        case 'apply', y = (ps.ymax - ps.ymin)*(v - ps.xmin)./spread + ps.ymin;
        case 'reverse', y = (v - ps.ymin)/(ps.ymax - ps.ymin).*spread + ps.xmin;
    end
    return
end
[low, high] = deal(-1, 1);
if numel(varargin) > 0, low = varargin{1}; end
if numel(varargin) > 1, high = varargin{2}; end
[xmin, xmax] = deal(min(x, [], 2), max(x, [], 2));
ps = struct('name', 'mapminmax', 'xrows', size(x, 1), 'xmax', xmax, 'xmin', xmin, 'xrange', xmax - xmin, ...
    'yrows', size(x, 1), 'ymax', high, 'ymin', low, 'yrange', high - low);
y = mapminmax('apply', x, ps);
end
