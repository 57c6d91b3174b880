function y = dpskmod(x, m, phase, order)
% y = dpskmod(x, m, phase, order): whole numbers as steps of phase; phase (0) is added to each; orders bin, gray.
if nargin < 3 || isempty(phase), phase = 0; end
if nargin < 4, order = 'bin'; end
isRow = isrow(x);
if isRow, x = x(:); end
y = exp(1i*cumsum(2*pi*symbols_in('dpskmod', x, m, order)/m + phase, 1));
if isRow, y = y.'; end
end
