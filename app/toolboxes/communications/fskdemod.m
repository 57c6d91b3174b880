function x = fskdemod(y, m, separation, samples, fs)
% x = fskdemod(y, m, separation, samples, fs): the numbers whose tones of fskmod correlate best.
if nargin < 5, fs = 1; end
isRow = isrow(y);
if isRow, y = y(:); end
t = (0:samples - 1)'/fs;
tones = exp(-2i*pi*t*(-(m - 1)/2:(m - 1)/2)*separation);
n = floor(size(y, 1)/samples);
x = zeros(n, size(y, 2));
for c = 1:size(y, 2)
    power_ = abs(tones.'*reshape(y(1:n*samples, c), samples, n));
    [~, best] = max(power_, [], 1);
    x(:, c) = best - 1;
end
if isRow, x = x.'; end
end
