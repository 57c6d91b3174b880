function x = pamdemod(y, m, phase, order)
% x = pamdemod(y, m, phase, order): the whole numbers whose amplitudes of pammod are nearest.
if nargin < 3 || isempty(phase), phase = 0; end
if nargin < 4, order = 'bin'; end
x = min(max(round((real(y*exp(-1i*phase)) + m - 1)/2), 0), m - 1);
x = symbols_out('pamdemod', x, m, order);
end
