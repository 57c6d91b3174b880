function [h, pValue, stat, cValue] = archtest(res, varargin)
% [h, pValue, stat, cValue] = archtest(res, 'Lags', l, 'Alpha', a): Engle's test of residuals for conditional heteroscedasticity: n R^2 of the squares on a constant and
%   as many earlier squares as each lag (1). archtest(res, l, a) as well.
res = res(~isnan(res));
given = struct('Lags', 1, 'Alpha', 0.05);
names = fieldnames(given);
if ~isempty(varargin) && ~ischar(varargin{1}) && ~isstring(varargin{1})
    varargin = reshape([names(1:numel(varargin))'; varargin], 1, []);
end
for k = 1:2:numel(varargin)
    name = validatestring(varargin{k}, names, 'archtest');
    if k == numel(varargin), error('econ:archtest:missingValue', 'The option %s lacks its value.', name); end
    given.(name) = varargin{k + 1};
end
lags = given.Lags(:)';
square = res(:).^2;
n = numel(square);
stat = zeros(size(lags));
for k = 1:numel(lags)
    X = lagmatrix(square, 1:lags(k));
    rows = lags(k) + 1:n;
    X = [ones(numel(rows), 1) X(rows, :)];
    y = square(rows);
    left = y - X*(X\y);
    stat(k) = numel(rows)*(1 - sum(left.^2)/sum((y - mean(y)).^2));
end
pValue = chi2cdf(stat, lags, 'upper');
cValue = chi2inv(1 - given.Alpha, lags) + zeros(size(stat));
h = pValue <= given.Alpha;
end
