function y = pmmod(x, fc, fs, deviation, phase)
% y = pmmod(x, fc, fs, deviation, phase): a carrier whose phase is deviation times x more.
if nargin < 5, phase = 0; end
y = cos(2*pi*fc*sample_times(x, fs) + deviation*x + phase);
end
