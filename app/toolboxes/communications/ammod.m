function y = ammod(x, fc, fs, phase, carrier)
% y = ammod(x, fc, fs, phase, carrier): x on a carrier of frequency fc; carrier (0): its own amplitude.
if nargin < 4, phase = 0; end
if nargin < 5, carrier = 0; end
y = (x + carrier).*cos(2*pi*fc*sample_times(x, fs) + phase);
end
