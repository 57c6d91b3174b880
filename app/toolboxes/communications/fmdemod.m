function x = fmdemod(y, fc, fs, deviation, phase)
% x = fmdemod(y, fc, fs, deviation, phase): the signal that changes a carrier's frequency.
if nargin < 5, phase = 0; end
z = hilbert(y).*exp(-1i*(2*pi*fc*sample_times(y, fs) + phase));
turn = unwrap(angle(z));
if isrow(y), steps = [0 diff(turn)]; else, steps = [zeros(1, size(y, 2)); diff(turn)]; end
x = steps*fs/(2*pi*deviation);
end
