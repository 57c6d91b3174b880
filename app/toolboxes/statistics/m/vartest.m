function [h, p, ci, stats] = vartest(x, v, varargin)
% [h, p, ci, stats] = vartest(x, v): whether the variance of normal data may be v. Options: 'Alpha' (0.05),
%   'Tail' (both, right, left), 'Dim'.
o = inputParser;
o.FunctionName = 'vartest';
addParameter(o, 'Alpha', 0.05);
addParameter(o, 'Tail', 'both');
addParameter(o, 'Dim', find(size(x) ~= 1, 1));
parse(o, varargin{:});
alpha = o.Results.Alpha;
dim = o.Results.Dim;
if isempty(dim), dim = 1; end
df = sum(~isnan(x), dim) - 1;
squares = var(x, 0, dim, 'omitnan').*df;
stat = squares./v;
low = chi2cdf(stat, df);
switch validatestring(o.Results.Tail, {'both', 'right', 'left'}, 'vartest')
    case 'both'
        p = 2*min(low, 1 - low);
        ci = cat(dim, squares./chi2inv(1 - alpha/2, df), squares./chi2inv(alpha/2, df));
    case 'right'
        p = 1 - low;
        ci = cat(dim, squares./chi2inv(1 - alpha, df), Inf(size(df)));
    case 'left'
        p = low;
        ci = cat(dim, zeros(size(df)), squares./chi2inv(alpha, df));
end
h = double(p <= alpha);
stats = struct('chisqstat', stat, 'df', df);
end
