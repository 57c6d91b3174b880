function d = finddelay(x, y, maxlag)
% d = finddelay(x, y, maxlag): by how many samples y is later than x, where their correlation is largest.
%   Columns of matrices are compared pair by pair.
if isvector(x), x = x(:); end
if isvector(y), y = y(:); end
if nargin < 3, maxlag = max(size(x, 1), size(y, 1)) - 1; end
n = max(size(x, 2), size(y, 2));
d = zeros(1, n);
for k = 1:n
    [c, lags] = xcorr(y(:, min(k, end)), x(:, min(k, end)), maxlag(min(k, end)));
    size_of = abs(c);
    best = find(size_of >= max(size_of)*(1 - 1e-8));
    [~, near] = min(abs(lags(best)) + 0.5*(lags(best) < 0));
    if any(size_of), d(k) = lags(best(near)); end
end
end
