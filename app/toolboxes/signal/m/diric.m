function y = diric(x, n)
% y = diric(x, n): the Dirichlet function sin(n*x/2)./(n*sin(x/2)).
if ~isscalar(n) || n < 1 || n ~= fix(n), error('signal:diric:MustBePosInteger', 'N must be a positive integer.'); end
y = sin(0.5*x);
k = abs(y) < 1e-12;
y(k) = (-1).^(x(k)/(2*pi)*(n - 1));
y(~k) = sin((n/2)*x(~k))./(n*y(~k));
y = real(y);
end
