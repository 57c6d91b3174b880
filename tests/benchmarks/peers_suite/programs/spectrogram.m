% Power of n frames of 1,024 samples, in decibels.
x = single(reshape(mod((1:n*1024)' * 0.6180339887498949, 1) - 0.5, 1024, n));
%% Work
w = 0.5 - 0.5 * cos(2 * pi * (0:1023)' / 1023);
F = fft(x .* single(w));
P = abs(F(1:513, :)).^2;
D = 10 * log10(P + 1e-6);
result = mean(D(:));
