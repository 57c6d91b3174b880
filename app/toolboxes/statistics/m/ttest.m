function [h, p, ci, stats] = ttest(x, m, varargin)
% [h, p, ci, stats] = ttest(x, m): Student's test of the means of columns of x: 1 where the hypothesis that
%   the mean is m (0) is rejected.
% ... = ttest(x, y): whether differences of pairs have the mean 0.
%   Options: 'Alpha' (0.05), 'Tail' (both, right, left), 'Dim'.
if nargin < 2 || isempty(m), m = 0; end
if ischar(m) || isstring(m)
    varargin = [{m} varargin];
    m = 0;
end
o = testOptions('ttest', varargin, {'Alpha', 'Tail', 'Dim'});
if ~isscalar(m)
    if ~isequal(size(m), size(x))
        error('stats:ttest:InputSizeMismatch', 'The data of a paired test must be of the same size.');
    end
    x = x - m;
    m = 0;
end
dim = o.Dim;
if isempty(dim), dim = find([size(x) 2] ~= 1, 1); end
n = sum(~isnan(x), dim);
df = max(n - 1, 0);
middle = mean(x, dim, 'omitnan');
spread = std(x, 0, dim, 'omitnan');
error_ = spread./sqrt(n);
score = (middle - m)./error_;
[h, p, ci] = testDecision(score, middle, error_, o, dim, @(t) tcdf(t, df), @(q) tinv(q, df));
stats = struct('tstat', score, 'df', df, 'sd', spread);
end
