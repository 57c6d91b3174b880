function y = pskmod(x, m, phase, order)
% y = pskmod(x, m, phase, order): points on the unit circle for whole numbers from 0 to m - 1; phase (0) of the
%   first; orders: gray (default) and bin.
if nargin < 3 || isempty(phase), phase = 0; end
if nargin < 4, order = 'gray'; end
x = symbols_in('pskmod', x, m, order);
y = exp(1i*(2*pi*x/m + phase));
end
