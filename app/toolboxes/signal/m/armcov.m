function [a, e] = armcov(x, p)
% [a, e] = armcov(x, p): an autoregressive model of order p of each column by least squares of the
%   forward and backward prediction errors (modified covariance method): polynomials as rows,
%   variances of the errors.
[a, e] = least_squares_model(x, p, 'modified', 'armcov');
end
