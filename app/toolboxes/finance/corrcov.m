function [r, sigma] = corrcov(c)
% [r, sigma] = corrcov(c): correlations and standard deviations of a covariance.
sigma = sqrt(diag(c));
r = c./(sigma*sigma');
r(1:size(r, 1) + 1:end) = 1;
end
