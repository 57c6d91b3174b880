function [y, t] = modulate(x, fc, fs, method, opt)
% [y, t] = modulate(x, fc, fs, method, opt): a carrier of frequency fc with the signal x on it.
%   Methods: am (or amdsb-sc), amdsb-tc, amssb, fm, pm, qam.
if nargin < 4, method = 'am'; end
isRow = isrow(x);
if isRow, x = x(:); end
t = repmat((0:size(x, 1) - 1)'/fs, 1, size(x, 2));
carrier = 2*pi*fc*t;
switch validatestring(method, {'am', 'amdsb-sc', 'amdsb-tc', 'amssb', 'fm', 'pm', 'qam'}, 'modulate')
    case {'am', 'amdsb-sc'}
        y = x.*cos(carrier);
    case 'amdsb-tc'
        if nargin < 5, opt = min(x(:)); end
        y = (x - opt).*cos(carrier);
    case 'amssb'
        y = x.*cos(carrier) + imag(hilbert(x)).*sin(carrier);
    case 'fm'
        if nargin < 5, opt = (fc/fs)*2*pi/max(abs(x(:))); end
        y = cos(carrier + opt*cumsum(x));
    case 'pm'
        if nargin < 5, opt = pi/max(abs(x(:))); end
        y = cos(carrier + opt*x);
    case 'qam'
        y = x.*cos(carrier) + reshape(opt, size(x)).*sin(carrier);
end
if isRow, y = y.'; t = t.'; end
end
