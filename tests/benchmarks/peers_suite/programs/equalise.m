% Histogram equalisation of an n x n picture of bytes.
A = uint8(floor(256 * reshape(mod((1:n*n)' * 0.6180339887498949, 1), n, n).^2));
%% Work
counts = accumarray(double(A(:)) + 1, 1, [256 1]);
cdf = cumsum(counts) / numel(A);
map = uint8(round(255 * cdf));
B = map(double(A) + 1);
result = mean(double(B(:)));
