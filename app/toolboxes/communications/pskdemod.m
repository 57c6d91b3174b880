function x = pskdemod(y, m, phase, order)
% x = pskdemod(y, m, phase, order): the whole numbers whose points of pskmod are nearest.
if nargin < 3 || isempty(phase), phase = 0; end
if nargin < 4, order = 'gray'; end
x = mod(round(mod(angle(y) - phase, 2*pi)*m/(2*pi)), m);
x = symbols_out('pskdemod', x, m, order);
end
