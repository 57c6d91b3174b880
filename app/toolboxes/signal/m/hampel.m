function [y, j, xmedian, xsigma] = hampel(x, k, nsigma)
% [y, j, xmedian, xsigma] = hampel(x, k, nsigma): outliers replaced by the median of the k (3) neighbours on
%   each side; those that are nsigma (3) standard deviations away, by the median absolute deviation.
if nargin < 2 || isempty(k), k = 3; end
if nargin < 3, nsigma = 3; end
shape = size(x);
if isrow(x), x = x(:); end
[xmedian, xsigma] = deal(zeros(size(x)));
n = size(x, 1);
for m = 1:n
    near = x(max(1, m - k):min(n, m + k), :);
    xmedian(m, :) = median(near, 1, 'omitnan');
    xsigma(m, :) = median(abs(near - xmedian(m, :)), 1, 'omitnan')/(-sqrt(2)*erfcinv(3/2));
end
j = abs(x - xmedian) > nsigma*xsigma;
y = x;
y(j) = xmedian(j);
[y, j, xmedian, xsigma] = deal(reshape(y, shape), reshape(j, shape), reshape(xmedian, shape), reshape(xsigma, shape));
end
