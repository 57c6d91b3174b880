function lut = makelut(fun, n)
% lut = makelut(fun, n): what a function gives for every n-by-n neighbourhood (n 2 or 3), for applylut.
if ~any(n == [2 3]), error('images:makelut:invalidN', 'N must be 2 or 3.'); end
lut = zeros(2^(n^2), 1);
for k = 1:numel(lut)
    lut(k) = fun(reshape(bitget(k - 1, 1:n^2), n, n) > 0);
end
end
