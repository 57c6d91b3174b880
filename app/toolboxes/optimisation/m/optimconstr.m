function c = optimconstr(varargin)
% c = optimconstr(n), optimconstr(m, n): constraints that take relations one by one: c(k) = x(k) <= 1. The size is what there is room for, no more.
c = OptimizationConstraint();
end
