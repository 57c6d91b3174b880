% Delay between two signals of n samples, by the correlation theorem.
x = single(sin((1:n)' .^ 2 / n) + mod((1:n)' * 0.6180339887498949, 1));
y = circshift(x, 4321);
%% Work
c = real(ifft(fft(y) .* conj(fft(x))));
[~, at] = max(c);
result = at - 1;
