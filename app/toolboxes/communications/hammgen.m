function [h, g, n, k] = hammgen(m, p)
% [h, g, n, k] = hammgen(m, p): the parity check matrix and the generator of the Hamming code of length 2^m - 1,
%   by a primitive polynomial p (the coefficients of rising powers, or a whole number).
known = [7 11 19 37 67 137 285 529 1033 2053 4179 8219 17475 32771];
if nargin < 2, p = known(m - 1); end
if isscalar(p), p = mod(floor(p./2.^(0:m)), 2); end
n = 2^m - 1;
k = n - m;
h = zeros(m, n);
state = [1 zeros(1, m - 1)];
for c = 1:n
    h(:, c) = state';
    state = mod([0 state(1:end - 1)] + state(end)*p(1:m), 2);
end
g = [h(:, m + 1:end)' eye(k)];
end
