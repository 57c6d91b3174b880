function y = pammod(x, m, phase, order)
% y = pammod(x, m, phase, order): the amplitudes 1 - m, 3 - m, ..., m - 1 for whole numbers; orders bin (default), gray.
if nargin < 3 || isempty(phase), phase = 0; end
if nargin < 4, order = 'bin'; end
x = symbols_in('pammod', x, m, order);
y = (2*x - m + 1)*exp(1i*phase);
if phase == 0, y = real(y); end
end
