function [r, p] = partialcorr(x, varargin)
% [r, p] = partialcorr(x, z): correlations of the columns of x with what z explains taken away; partialcorr(x, y, z):
%   of x's columns with y's; partialcorr(x): all other columns taken away. Options: 'Type' (Pearson, Spearman), 'Tail'.
names = cellfun(@(v) ischar(v) || isstring(v), varargin);
first = find([names true], 1);
given = varargin(1:first - 1);
o = inputParser;
o.FunctionName = 'partialcorr';
addParameter(o, 'Type', 'Pearson');
addParameter(o, 'Tail', 'both');
parse(o, varargin{first:end});
ranked = strcmp(validatestring(o.Results.Type, {'Pearson', 'Spearman'}, 'partialcorr'), 'Spearman');
tail = validatestring(o.Results.Tail, {'both', 'right', 'left'}, 'partialcorr');
if ranked
    x = tiedrank(x);
    given = cellfun(@tiedrank, given, 'UniformOutput', false);
end
n = size(x, 1);
if isempty(given)
    c = inv(corrcoef(x));
    r = -c./sqrt(diag(c)*diag(c)');
    r(1:size(r, 1) + 1:end) = 1;
    taken = size(x, 2) - 2;
else
    z = [ones(n, 1) given{end}];
    rest = @(v) v - z*(z\v);
    left = rest(x);
    if numel(given) > 1, right = rest(given{1}); else, right = left; end
    r = (left'*right)./sqrt(sum(left.^2)'*sum(right.^2));
    if numel(given) == 1, r(1:size(r, 1) + 1:end) = 1; end
    taken = size(given{end}, 2);
end
df = n - 2 - taken;
t = r.*sqrt(df./(1 - r.^2));
switch tail
    case 'both', p = 2*tcdf(-abs(t), df);
    case 'right', p = tcdf(-t, df);
    case 'left', p = tcdf(t, df);
end
end
