function x = icceps(xhat, nd)
% x = icceps(xhat, nd): the sequence with the complex cepstrum xhat, delayed by nd samples (0).
if nargin < 2, nd = 0; end
logh = fft(xhat);
n = numel(xhat);
middle = floor((n + 1)/2);
steps = reshape(0:n - 1, size(xhat));
x = real(ifft(exp(real(logh) + 1i*(imag(logh) + pi*nd*steps/middle))));
end
