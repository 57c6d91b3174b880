function [yi, yq, ye] = gauspuls(t, fc, bw, bwr, tpe)
% [yi, yq, ye] = gauspuls(t, fc, bw, bwr): a Gaussian pulse in phase, in quadrature, and its envelope.
%   fc (1000 Hz): the centre; bw (0.5): the fractional bandwidth at bwr (-6) dB.
%   tc = gauspuls('cutoff', fc, bw, bwr, tpe): when the envelope has fallen by tpe (-60) dB.
if nargin < 2 || isempty(fc), fc = 1000; end
if nargin < 3 || isempty(bw), bw = 0.5; end
if nargin < 4 || isempty(bwr), bwr = -6; end
if nargin < 5 || isempty(tpe), tpe = -60; end
if bw <= 0 || bwr >= 0, error('signal:gauspuls:InvalidRange', 'The bandwidth must be positive, its level negative.'); end
fv = -(bw*fc)^2/(8*log(10^(bwr/20)));
tv = 1/(4*pi^2*fv);
if ischar(t) || isstring(t)
    if ~strcmpi(t, 'cutoff'), error('signal:gauspuls:UnknownOption', 'The only word that gauspuls takes is ''cutoff''.'); end
    yi = sqrt(-2*tv*log(10^(tpe/20)));
    return
end
ye = exp(-t.*t/(2*tv));
yi = ye.*cos(2*pi*fc*t);
yq = ye.*sin(2*pi*fc*t);
end
