function [h, p, ci, zval] = ztest(x, m, sigma, varargin)
% [h, p, ci, zval] = ztest(x, m, sigma): the test of the means of columns of x where the deviation is known:
%   1 where the hypothesis that the mean is m is rejected.
%   Options: 'Alpha' (0.05), 'Tail' (both, right, left), 'Dim'.
if ~isscalar(m) || ~isscalar(sigma) || ~(sigma > 0)
    error('stats:ztest:BadSigma', 'M must be a number and SIGMA a number above zero.');
end
o = testOptions('ztest', varargin, {'Alpha', 'Tail', 'Dim'});
dim = o.Dim;
if isempty(dim), dim = find([size(x) 2] ~= 1, 1); end
middle = mean(x, dim, 'omitnan');
error_ = sigma./sqrt(sum(~isnan(x), dim));
zval = (middle - m)./error_;
[h, p, ci] = testDecision(zval, middle, error_, o, dim, @normcdf, @norminv);
end
