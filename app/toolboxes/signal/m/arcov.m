function [a, e] = arcov(x, p)
% [a, e] = arcov(x, p): an autoregressive model of order p of each column by least squares of the
%   forward prediction errors (covariance method): polynomials as rows, variances of the errors.
[a, e] = least_squares_model(x, p, 'covariance', 'arcov');
end
