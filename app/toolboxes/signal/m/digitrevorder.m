function [y, i] = digitrevorder(x, r)
% [y, i] = digitrevorder(x, r): the elements in the order of their positions with reversed digits to the base r.
row = isvector(x);
if row, n = numel(x); else, n = size(x, 1); end
digits = round(log(n)/log(r));
if r^digits ~= n, error('signal:digitrevorder:InvalidSize', 'The length must be a power of %d.', r); end
i = zeros(n, 1);
rest = (0:n - 1)';
for k = 1:digits
    i = i*r + mod(rest, r);
    rest = floor(rest/r);
end
i = i + 1;
if row, y = x(i); y = reshape(y, size(x)); else, y = x(i, :); end
end
