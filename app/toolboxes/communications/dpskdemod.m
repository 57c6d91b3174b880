function x = dpskdemod(y, m, phase, order)
% x = dpskdemod(y, m, phase, order): the whole numbers whose steps of phase dpskmod made.
if nargin < 3 || isempty(phase), phase = 0; end
if nargin < 4, order = 'bin'; end
isRow = isrow(y);
if isRow, y = y(:); end
step = angle(y.*conj([ones(1, size(y, 2)); y(1:end - 1, :)])) - phase;
x = symbols_out('dpskdemod', mod(round(mod(step, 2*pi)*m/(2*pi)), m), m, order);
if isRow, x = x.'; end
end
