function [s, n] = sumsqr(x)
% [s, n] = sumsqr(x): the sum of the squares of the finite numbers of a matrix, or of a cell of them, and how many there are.
[s, n] = over_finite(x, @(v) v.^2);
end
