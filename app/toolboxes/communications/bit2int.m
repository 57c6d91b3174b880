function x = bit2int(b, n, msbfirst)
% x = bit2int(b, n, msbfirst): every n bits of a column as a whole number, the highest first unless msbfirst is false.
if nargin < 3, msbfirst = true; end
weights = 2.^(n - 1:-1:0);
if ~msbfirst, weights = fliplr(weights); end
if mod(size(b, 1), n), error('comm:bit2int:InvalidSize', 'The number of rows must be a multiple of N.'); end
x = reshape(weights*reshape(double(b), n, []), [], size(b, 2));
end
