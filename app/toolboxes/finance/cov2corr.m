function [sigma, r] = cov2corr(c)
% [sigma, r] = cov2corr(c): standard deviations and correlations of a covariance.
sigma = sqrt(diag(c))';
r = c./(sigma'*sigma);
end
