function [x, x2] = demod(y, fc, fs, method, opt)
% x = demod(y, fc, fs, method, opt): the signal that was put on a carrier of frequency fc by modulate.
%   Methods: am (or amdsb-sc), amdsb-tc, amssb, fm, pm, qam. Filters: a Butterworth low pass of order 5.
if nargin < 4, method = 'am'; end
isRow = isrow(y);
if isRow, y = y(:); end
t = (0:size(y, 1) - 1)'/fs;
carrier = 2*pi*fc*t;
[b, a] = butter(5, fc*2/fs);
low = @(v) filtfilt(b, a, v);
switch validatestring(method, {'am', 'amdsb-sc', 'amdsb-tc', 'amssb', 'fm', 'pm', 'qam'}, 'demod')
    case {'am', 'amdsb-sc', 'amssb'}
        x = low(2*y.*cos(carrier));
    case 'amdsb-tc'
        if nargin < 5, opt = 0; end
        x = low(2*y.*cos(carrier)) - opt;
    case 'fm'
        if nargin < 5, opt = 1; end
        z = hilbert(y).*exp(-1i*carrier);
        x = [zeros(1, size(z, 2)); diff(unwrap(angle(z)))]/opt;
    case 'pm'
        if nargin < 5, opt = 1; end
        x = angle(hilbert(y).*exp(-1i*carrier))/opt;
    case 'qam'
        x = low(2*y.*cos(carrier));
        x2 = low(2*y.*sin(carrier));
        if isRow, x2 = x2.'; end
end
if isRow, x = x.'; end
end
