function y = fmmod(x, fc, fs, deviation, phase)
% y = fmmod(x, fc, fs, deviation, phase): a carrier whose frequency is fc and deviation times x more.
if nargin < 5, phase = 0; end
dim = 1 + isrow(x);
y = cos(2*pi*fc*sample_times(x, fs) + 2*pi*deviation*cumsum(x, dim)/fs + phase);
end
