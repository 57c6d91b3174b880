% Low pass of a picture in the frequency domain.
A = single(reshape(mod((1:n*n)' * 0.6180339887498949, 1), n, n));
f = single([0:n/2-1, -n/2:-1] / n);
%% Work
H = exp(-(f.^2 + f'.^2) * 400);
B = real(ifft2(fft2(A) .* H));
result = mean(B(:).^2);
