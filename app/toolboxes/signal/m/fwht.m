function y = fwht(x, n, order)
% y = fwht(x, n, order): the fast Walsh-Hadamard transform, divided by n.
%   Orders: sequency (default), hadamard, dyadic.
if nargin < 2, n = []; end
if nargin < 3, order = 'sequency'; end
y = walsh_hadamard('fwht', x, n, order);
y = y/max(size(y, 1 + (size(y, 1) == 1)), 1);
end
