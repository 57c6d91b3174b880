function [bz, az] = impinvar(b, a, fs, tol)
% [bz, az] = impinvar(b, a, fs): the digital filter whose impulse response is that of the analog filter b/a,
%   sampled at fs (1 Hz) and divided by fs. tol (0.001): when poles count as the same.
if nargin < 3 || isempty(fs), fs = 1; end
if nargin < 4, tol = 0.001; end
if numel(b) >= numel(a), error('signal:impinvar:InvalidOrder', 'The numerator must have a lower order than the denominator.'); end
[r, p] = residue(b, a);
[p, place] = sort(p);
r = r(place);
az = real(poly(exp(p/fs)));
h = zeros(1, numel(p) + 1);
k = 1;
while k <= numel(p)
    last = k;
    while last < numel(p) && abs(p(last + 1) - p(k)) <= tol*max(1, abs(p(k))), last = last + 1; end
    m = last - k;
    if m > 0, [r(k:last), p(k:last)] = deal(ordered_residues(b, a, p(k:last)), mean(p(k:last))); end
    for j = 0:m
        n = 0:numel(h) - 1;
        h = h + r(k + j)*(n/fs).^j/factorial(j).*exp(p(k)*n/fs);
    end
    k = last + 1;
end
bz = real(conv(h, az))/fs;
bz = bz(1:numel(p));
end

function r = ordered_residues(b, a, p)
% The coefficients of 1/(s - p), 1/(s - p)^2, ... by differences of the cofactor's Taylor series.
m = numel(p);
rest = a;
for k = 1:m, rest = deconv(rest, [1 -mean(p)]); end
r = zeros(m, 1);
top = b;
bottom = rest;
value = @(x) polyval(top, x)./polyval(bottom, x);
step = 1e-3*max(1, abs(mean(p)));
for j = 1:m
    order = m - j;
    points = mean(p) + step*exp(2i*pi*(0:15)/16);
    c = mean(value(points).*exp(-2i*pi*order*(0:15)/16))/step^order;
    r(j) = c;
end
end
