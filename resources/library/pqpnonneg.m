function [x, minimum, flag, output, lambda] = pqpnonneg(c, d, x0)
% [x, minimum, flag] = pqpnonneg(c, d, x0): minimum of x'*c*x/2 + d'*x with x >= 0, c positive definite (Octave's).
if ~issquare(c)
    error('pqpnonneg:invalidInput', 'The first input of pqpnonneg must be a square matrix.');
end
n = size(c, 1);
if nargin < 3
    x0 = zeros(n, 1);
end
options = optimset('Display', 'off');
[x, minimum, flag, output, multipliers] = quadprog(c, d, [], [], [], [], zeros(n, 1), [], x0, options);
x(x < sqrt(eps)*max(1, max(abs(x)))*1e-3) = 0;
minimum = x.'*c*x/2 + d(:).'*x;
lambda = -multipliers.lower;
end
