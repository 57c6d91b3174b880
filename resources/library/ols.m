function [beta, sigma, r] = ols(y, x)
% [beta, sigma, r] = ols(y, x): least squares of y = x*beta + e, the covariance of e and the residuals (Octave's).
if ~isnumeric(x) || ~isnumeric(y)
    error('ols:invalidType', 'The inputs of ols must be numeric matrices.');
end
if size(x, 1) ~= size(y, 1)
    error('ols:sizes', 'The inputs of ols must have as many rows.');
end
beta = x \ y;
if rank(x) < size(x, 2)
    beta = pinv(x) * y;
end
r = y - x*beta;
sigma = r.'*r / (size(y, 1) - rank(x));
end
