function [p, tbl, stats] = anova1(y, group, displayopt)
% [p, tbl, stats] = anova1(Y), anova1(y, group), anova1(y, group, 'off'): whether the means of the columns or groups
%   are equal. Without 'off' the table is printed and the samples are drawn. stats is for multcompare.
if nargin < 2, group = []; end
if nargin < 3, displayopt = 'on'; end
displayopt = validatestring(displayopt, {'on', 'off'}, 'anova1');
label = 'Groups';
if isempty(group), label = 'Columns'; end
[x, place, names] = samplesOf(y, group, 'anova1');
k = numel(names);
if k < 2, error('stats:anova1:NotEnoughGroups', 'There must be two groups at least.'); end
n = accumarray(place, 1, [k 1]);
means = accumarray(place, x, [k 1])./n;
inside = sum((x - means(place)).^2);
whole = sum((x - mean(x)).^2);
[df, rest] = deal(nnz(n) - 1, numel(x) - nnz(n));
[mean1, mse] = deal((whole - inside)/df, inside/rest);
F = mean1/mse;
p = fcdf(1/F, rest, df);
if mse == 0, p = double(~(mean1 > 0)); end
tbl = {'Source', 'SS', 'df', 'MS', 'F', 'Prob>F'; label, whole - inside, df, mean1, F, p; ...
    'Error', inside, rest, mse, [], []; 'Total', whole, df + rest, [], [], []};
stats = struct('gnames', {names}, 'n', n', 'source', 'anova1', 'means', means', 'df', rest, 's', sqrt(mse));
shownAnova(tbl, x, place, names, displayopt);
end
