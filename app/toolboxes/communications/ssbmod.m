function y = ssbmod(x, fc, fs, phase, sideband)
% y = ssbmod(x, fc, fs, phase, sideband): x on one sideband ('lower', the default, or 'upper') of a
%   carrier of frequency fc, sampled at fs; columns are channels.
if nargin < 4 || isempty(phase), phase = 0; end
if nargin < 5, sideband = 'lower'; end
side = 1 - 2*strcmp(validatestring(sideband, {'lower', 'upper'}, 'ssbmod'), 'upper');
if fs <= 2*fc, error('comm:ssbmod:InvalidFs', 'fs must be larger than 2*fc.'); end
turn = 2*pi*fc*sample_times(x, fs) + phase;
y = x.*cos(turn) + side*imag(hilbert(x)).*sin(turn);
end
