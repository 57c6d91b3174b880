function [h, p, ci, stats] = ttest2(x, y, varargin)
% [h, p, ci, stats] = ttest2(x, y): Student's test of the means of two samples, for each column: 1 where the
%   hypothesis that they are the same is rejected.
%   Options: 'Alpha' (0.05), 'Tail' (both, right, left), 'Vartype' (equal, unequal), 'Dim'.
o = testOptions('ttest2', varargin, {'Alpha', 'Tail', 'Vartype', 'Dim'});
dim = o.Dim;
if isempty(dim)
    dim = find([size(x) 1] ~= 1, 1);
    if isempty(dim), dim = find([size(y) 2] ~= 1, 1); end
    if isvector(x) && isvector(y)
        if dim == 2, y = reshape(y, 1, []); else, y = y(:); end
    end
end
sizes = [size(x); size(y)];
sizes(:, dim) = 1;
if ~isequal(sizes(1, :), sizes(2, :))
    error('stats:ttest2:InputSizeMismatch', ...
        'The data must be of the same size, but for the dimension of the samples.');
end
nx = sum(~isnan(x), dim);
ny = sum(~isnan(y), dim);
vx = var(x, 0, dim, 'omitnan');
vy = var(y, 0, dim, 'omitnan');
difference = mean(x, dim, 'omitnan') - mean(y, dim, 'omitnan');
if strcmp(o.Vartype, 'equal')
    df = nx + ny - 2;
    spread = sqrt((max(nx - 1, 0).*vx + max(ny - 1, 0).*vy)./df);
    error_ = spread.*sqrt(1./nx + 1./ny);
else
    ex = vx./nx;
    ey = vy./ny;
    df = (ex + ey).^2./(ex.^2./(nx - 1) + ey.^2./(ny - 1));
    spread = cat(dim, sqrt(vx), sqrt(vy));
    error_ = sqrt(ex + ey);
end
score = difference./error_;
[h, p, ci] = testDecision(score, difference, error_, o, dim, @(t) tcdf(t, df), @(q) tinv(q, df));
stats = struct('tstat', score, 'df', df, 'sd', spread);
end
