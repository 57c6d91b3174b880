function [h, pValue, stat, cValue] = lbqtest(res, varargin)
% [h, pValue, stat, cValue] = lbqtest(res, 'Lags', l, 'Alpha', a, 'DoF', d): Ljung and Box's test of residuals for autocorrelation up to each of the lags (min(20, n - 1)),
%   with as many degrees of freedom (or d). lbqtest(res, l, a, d) as well.
res = res(~isnan(res));
n = numel(res);
given = struct('Lags', min(20, n - 1), 'Alpha', 0.05, 'DoF', []);
names = fieldnames(given);
if ~isempty(varargin) && ~ischar(varargin{1}) && ~isstring(varargin{1})
    varargin = reshape([names(1:numel(varargin))'; varargin], 1, []);
end
for k = 1:2:numel(varargin)
    name = validatestring(varargin{k}, names, 'lbqtest');
    if k == numel(varargin), error('econ:lbqtest:missingValue', 'The option %s lacks its value.', name); end
    if ~isempty(varargin{k + 1}), given.(name) = varargin{k + 1}; end
end
lags = given.Lags(:)';
if any(lags < 1 | lags ~= fix(lags) | lags > n - 1), error('econ:lbqtest:lags', 'Lags must be positive integers less than the number of residuals.'); end
if isempty(given.DoF), given.DoF = lags; end
r = autocorr(res, 'NumLags', max(lags));
terms = n*(n + 2)*cumsum(r(2:end)'.^2./(n - (1:max(lags))));
stat = terms(lags);
pValue = chi2cdf(stat, given.DoF, 'upper');
cValue = chi2inv(1 - given.Alpha, given.DoF) + zeros(size(stat));
h = pValue <= given.Alpha;
end
