function b = int2bit(x, n, msbfirst)
% b = int2bit(x, n, msbfirst): whole numbers as columns of n bits, the highest first unless msbfirst is false.
if nargin < 3, msbfirst = true; end
order = n - 1:-1:0;
if ~msbfirst, order = fliplr(order); end
rows = max(size(x, 1), 1);
b = mod(floor(reshape(double(x), 1, [])./2.^order'), 2);
b = reshape(b, n*rows, []);
b = cast(b, class(x));
end
