function y = ranks(x, dim)
% y = ranks(x, dim): the ranks of the elements along a dimension, equal ones share the mean (Octave's).
if nargin < 2
    dim = find(size(x) ~= 1, 1);
    if isempty(dim)
        dim = 1;
    end
end
order = 1:max(ndims(x), dim);
order([1 dim]) = order([dim 1]);
v = permute(x, order);
y = zeros(size(v));
for k = 1:numel(v)/max(size(v, 1), 1)
    y(:, k) = tiedrank(v(:, k));
end
y = ipermute(y, order);
end
