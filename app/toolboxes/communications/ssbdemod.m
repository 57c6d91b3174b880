function x = ssbdemod(y, fc, fs, phase, num, den)
% x = ssbdemod(y, fc, fs, phase): what ssbmod put onto a carrier of frequency fc, sampled at fs, by a
%   Butterworth filter of order 5; ssbdemod(..., num, den): by that filter.
if nargin < 4 || isempty(phase), phase = 0; end
if fs <= 2*fc, error('comm:ssbdemod:InvalidFs', 'fs must be larger than 2*fc.'); end
if nargin < 6, [num, den] = butter(5, fc*2/fs); end
x = 2*y.*cos(2*pi*fc*sample_times(y, fs) + phase);
x = filtfilt(num, den, x);
end
