function x = amdemod(y, fc, fs, phase, carrier, num, den)
% x = amdemod(y, fc, fs, phase, carrier, num, den): the signal on a carrier, low passed by num/den (Butterworth, order 5).
if nargin < 4, phase = 0; end
if nargin < 5, carrier = 0; end
if nargin < 7, [num, den] = butter(5, fc*2/fs); end
x = filtfilt(num, den, 2*y.*cos(2*pi*fc*sample_times(y, fs) + phase)) - carrier;
end
