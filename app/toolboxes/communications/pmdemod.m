function x = pmdemod(y, fc, fs, deviation, phase)
% x = pmdemod(y, fc, fs, deviation, phase): the signal that changes a carrier's phase.
if nargin < 5, phase = 0; end
x = angle(hilbert(y).*exp(-1i*(2*pi*fc*sample_times(y, fs) + phase)))/deviation;
end
