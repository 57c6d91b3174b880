function [s, n] = sumabs(x)
% [s, n] = sumabs(x): the sum of the magnitudes of the finite numbers of a matrix, or of a cell of them, and how many there are.
[s, n] = over_finite(x, @abs);
end
