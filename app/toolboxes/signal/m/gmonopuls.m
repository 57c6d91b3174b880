function y = gmonopuls(t, fc)
% y = gmonopuls(t, fc): a Gaussian monopulse with the centre frequency fc (1000 Hz).
%   tc = gmonopuls('cutoff', fc): the time between its largest and its least value.
if nargin < 2, fc = 1000; end
if ischar(t) || isstring(t)
    if ~strcmpi(t, 'cutoff'), error('signal:gmonopuls:UnknownOption', 'The only word that gmonopuls takes is ''cutoff''.'); end
    y = 1/(pi*fc);
    return
end
u = pi*t*fc;
y = 2*sqrt(exp(1))*u.*exp(-2*u.^2);
end
