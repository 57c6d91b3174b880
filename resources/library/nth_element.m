function y = nth_element(x, n, dim)
% y = nth_element(x, n, dim): the elements at places n of x sorted along a dimension (Octave's).
if nargin < 3
    dim = find(size(x) ~= 1, 1);
    if isempty(dim)
        dim = 1;
    end
end
if any(n(:) < 1 | n(:) > size(x, dim) | n(:) ~= fix(n(:)))
    error('nth_element:outOfRange', 'The places must be integers from 1 to %d.', size(x, dim));
end
sorted = sort(x, dim);
places = repmat({':'}, 1, max(ndims(x), dim));
places{dim} = n(:);
y = sorted(places{:});
end
