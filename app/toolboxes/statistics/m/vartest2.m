function [h, p, ci, stats] = vartest2(x, y, varargin)
% [h, p, ci, stats] = vartest2(x, y): whether two samples have the same variance, for each column: 1 where
%   that is rejected.
%   Options: 'Alpha' (0.05), 'Tail' (both, right, left), 'Dim'.
o = testOptions('vartest2', varargin, {'Alpha', 'Tail', 'Dim'});
dim = o.Dim;
if isempty(dim)
    dim = find([size(x) 2] ~= 1, 1);
    if isvector(x) && isvector(y)
        if dim == 2, y = reshape(y, 1, []); else, y = y(:); end
    end
end
df1 = sum(~isnan(x), dim) - 1;
df2 = sum(~isnan(y), dim) - 1;
ratio = var(x, 0, dim, 'omitnan')./var(y, 0, dim, 'omitnan');
low = fcdf(ratio, df1, df2);
high = fcdf(1./ratio, df2, df1);
switch o.Tail
    case 'both'
        p = 2*min(low, high);
        ci = cat(dim, ratio./finv(1 - o.Alpha/2, df1, df2), ratio.*finv(1 - o.Alpha/2, df2, df1));
    case 'right'
        p = high;
        ci = cat(dim, ratio./finv(1 - o.Alpha, df1, df2), Inf(size(p)));
    case 'left'
        p = low;
        ci = cat(dim, zeros(size(p)), ratio.*finv(1 - o.Alpha, df2, df1));
end
h = double(p <= o.Alpha);
h(isnan(p)) = NaN;
stats = struct('fstat', ratio, 'df1', df1, 'df2', df2);
end
