function y = qmf(x, p)
% y = qmf(x), qmf(x, p): the quadrature mirror filter: reversed, every second sign changed, the even ones (p even, 0) or the odd ones.
if nargin < 2, p = 0; end
y = x(end:-1:1);
first = 2 - mod(p, 2);
y(first:2:end) = -y(first:2:end);
end
