function [y, map] = cmpermute(x, map, order)
% [Y, newmap] = cmpermute(X, map, order): the colours of an indexed image in another order, by luminance unless given.
if nargin < 3
    [~, order] = sort(rgb2ntsc(map)*[1; 0; 0]);
end
inverse(order) = 1:numel(order);
map = map(order, :);
if isinteger(x), y = cast(inverse(double(x) + 1) - 1, class(x)); else, y = inverse(x); end
y = reshape(y, size(x));
end
