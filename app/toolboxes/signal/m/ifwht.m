function y = ifwht(x, n, order)
% y = ifwht(x, n, order): the inverse of fwht. Orders: sequency (default), hadamard, dyadic.
if nargin < 2, n = []; end
if nargin < 3, order = 'sequency'; end
y = walsh_hadamard('ifwht', x, n, order);
end
