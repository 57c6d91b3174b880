function [k, e] = schurrc(r)
% [k, e] = schurrc(r): reflection coefficients of an autocorrelation sequence (from lag 0 on) by
%   Schur's recursion, a column for each column of r, and the variances of the prediction errors.
%   Source: J. Le Roux and C. Gueguen, IEEE Trans. ASSP 25 (1977) 257-259.
validateattributes(r, {'numeric'}, {'2d', 'nonempty', 'finite'}, 'schurrc', 'r');
if isrow(r), r = r.'; end
n = size(r, 1);
k = zeros(n - 1, size(r, 2));
[u, v] = deal(r);
for m = 1:n - 1
    k(m, :) = -u(m + 1, :)./v(1, :);
    above = u(m + 1:n, :) + k(m, :).*v(1:n - m, :);
    v = v(1:n - m, :) + conj(k(m, :)).*u(m + 1:n, :);
    u(m + 1:n, :) = above;
end
e = real(v(1, :));
end
