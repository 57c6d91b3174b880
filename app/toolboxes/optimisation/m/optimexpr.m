function e = optimexpr(varargin)
% e = optimexpr, optimexpr(n), optimexpr(m, n): an expression of zeros, whose places take others: e(k) = x(k) + 1.
extent = [varargin{:}];
if isempty(extent), extent = 1; end
if isscalar(extent), extent(2) = 1; end
e = OptimizationExpression(@(v) zeros(extent), 0, struct());
end
