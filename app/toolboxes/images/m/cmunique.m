function [y, map] = cmunique(x, map)
% [Y, map] = cmunique(X, map): an indexed image without colours that are the same or unused; of an image in
%   colours or greys (cmunique(RGB), cmunique(I)) the indexed one.
if nargin == 2
    rows = double(x(:)) + isinteger_index(x);
    [map, ~, place] = unique(map(rows, :), 'rows');
    shape = size(x);
elseif ndims(x) == 3
    [map, ~, place] = unique(reshape(im2double(x), [], 3), 'rows');
    shape = [size(x, 1) size(x, 2)];
else
    [grey, ~, place] = unique(im2double(x(:)));
    map = repmat(grey, 1, 3);
    shape = size(x);
end
y = reshape(place, shape);
if size(map, 1) <= 256, y = uint8(y - 1); end
end

function k = isinteger_index(x)
k = double(isinteger(x) || islogical(x));
end
