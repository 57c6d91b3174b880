function y = fftconv(a, b, n)
% y = fftconv(a, b, n): the convolution of two vectors by their Fourier transforms of n points (Octave's).
if ~isvector(a) || ~isvector(b)
    error('fftconv:invalidInput', 'Both inputs of fftconv must be vectors.');
end
total = numel(a) + numel(b) - 1;
if nargin < 3
    n = total;
elseif ~isscalar(n) || n < 1 || n ~= fix(n)
    error('fftconv:invalidInput', 'The number of points must be a positive integer.');
end
n = max(n, total);
if isscalar(a) || isscalar(b)
    y = a * b;
    return
end
y = ifft(fft(a(:), n) .* fft(b(:), n));
y = y(1:total);
if isreal(a) && isreal(b)
    y = real(y);
end
if all(a == fix(a)) && all(b == fix(b))
    y = round(y);
end
if isrow(a) && isrow(b)
    y = y.';
end
end
