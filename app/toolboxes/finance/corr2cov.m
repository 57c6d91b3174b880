function c = corr2cov(sigma, r)
% c = corr2cov(sigma, r): the covariance with these standard deviations and correlations (none unless given).
if nargin < 2, r = eye(numel(sigma)); end
c = r.*(sigma(:)*sigma(:)');
end
