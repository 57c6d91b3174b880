function [hr, w, phi] = zerophase(b, a, n)
% [hr, w, phi] = zerophase(b, a, n): the real response of a filter, which may be negative, and its phase.
if nargin < 2 || isempty(a), a = 1; end
if nargin < 3, n = 512; end
w = (0:n - 1)'*pi/n;
h = freqz(b, a, w);
if islinphase(b, a)
    t = firtype(b/a(1));
    phi = -w*(numel(b) - 1)/2 + (t > 2)*pi/2;
else
    phi = unwrap(angle(h));
end
hr = real(h.*exp(-1i*phi));
end
