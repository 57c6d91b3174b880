function [xhat, nd] = cceps(x, n)
% [xhat, nd] = cceps(x, n): the complex cepstrum of a real sequence, and how many samples it was delayed by
%   to have no phase at pi (Oppenheim and Schafer).
if nargin < 2, n = numel(x); end
h = fft(x, n);
[phase, nd] = unwrapped(angle(h));
xhat = real(ifft(log(abs(h)) + 1i*phase));
end

function [y, nd] = unwrapped(phase)
y = reshape(unwrap(phase(:)), size(phase));
n = numel(phase);
middle = floor((n + 1)/2);
nd = round(y(middle + 1)/pi);
steps = reshape(0:n - 1, size(phase));
y = y - pi*nd*steps/middle;
end
