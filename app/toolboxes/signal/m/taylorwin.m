function w = taylorwin(n, nbar, sll)
% w = taylorwin(n, nbar, sll): the Taylor window with nbar (4) nearly constant side lobes at sll (-30) dB.
if nargin < 2, nbar = 4; end
if nargin < 3, sll = -30; end
if sll > 0, error('signal:taylorwin:InvalidSll', 'The level of the side lobes must not be positive.'); end
a = acosh(10^(-sll/20))/pi;
m = (1:nbar - 1)';
sp2 = nbar^2/(a^2 + (nbar - 0.5)^2);
f = zeros(nbar - 1, 1);
for k = 1:nbar - 1
    top = (-1)^(k + 1)*prod(1 - k^2./sp2./(a^2 + (m - 0.5).^2));
    rest = m(m ~= k);
    f(k) = top/(2*prod(1 - k^2./rest.^2));
end
x = ((0:n - 1)' - n/2 + 0.5)/n;
w = ones(n, 1);
for k = 1:nbar - 1
    w = w + 2*f(k)*cos(2*pi*k*x);
end
end
