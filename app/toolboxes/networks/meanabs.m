function [m, n] = meanabs(x)
% [m, n] = meanabs(x): the mean of the magnitudes of the finite numbers of a matrix, or of a cell of them, and how many there are.
[s, n] = over_finite(x, @abs);
m = s/n;
end
