function w = chebwin(n, r)
% w = chebwin(n, r): the Dolph-Chebyshev window of n points, its side lobes r dB (100) below the main lobe.
%   The transform of the window is the Chebyshev polynomial of order n - 1 (Harris, 1978).
if nargin < 2, r = 100; end
check_count('chebwin', n);
if ~isscalar(r) || r < 0, error('signal:chebwin:InvalidAttenuation', 'The attenuation must not be negative.'); end
if n == 1, w = 1; return, end
order = n - 1;
beta = cosh(acosh(10^(abs(r)/20))/order);
x = beta*cos(pi*(0:n - 1)/n);
p = zeros(1, n);
p(x > 1) = cosh(order*acosh(x(x > 1)));
p(x < -1) = (2*mod(n, 2) - 1)*cosh(order*acosh(-x(x < -1)));
inside = abs(x) <= 1;
p(inside) = cos(order*acos(x(inside)));
if mod(n, 2)
    w = real(fft(p));
    half = (n + 1)/2;
    w = [w(half:-1:2) w(1:half)];
else
    w = real(fft(p.*exp(1i*pi/n*(0:n - 1))));
    half = n/2 + 1;
    w = [w(half:-1:2) w(2:half)];
end
w = (w/max(w))';
end

function check_count(name, n)
if ~isscalar(n) || n < 1 || n ~= fix(n)
    error(['signal:' name ':InvalidLength'], 'The length must be a positive integer.');
end
end
