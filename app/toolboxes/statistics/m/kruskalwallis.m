function [p, tbl, stats] = kruskalwallis(x, group, displayopt)
% [p, tbl, stats] = kruskalwallis(X), kruskalwallis(x, group), kruskalwallis(x, group, 'off'): whether samples come from
%   one distribution, by their ranks. Without 'off' the table is printed and the samples are drawn.
if nargin < 2, group = []; end
if nargin < 3, displayopt = 'on'; end
displayopt = validatestring(displayopt, {'on', 'off'}, 'kruskalwallis');
label = 'Groups';
if isempty(group), label = 'Columns'; end
[y, place, names] = samplesOf(x, group, 'kruskalwallis');
[k, N] = deal(numel(names), numel(y));
[r, tie] = tiedrank(y);
n = accumarray(place, 1, [k 1]);
means = accumarray(place, r, [k 1])./n;
between = sum(n.*(means - mean(r)).^2, 'omitnan');
whole = sum((r - mean(r)).^2);
chi = between*12/(N*(N + 1));
if tie > 0, chi = chi/(1 - 2*tie/(N^3 - N)); end
df = nnz(n) - 1;
p = chi2cdf(chi, df, 'upper');
tbl = {'Source', 'SS', 'df', 'MS', 'Chi-sq', 'Prob>Chi-sq'; label, between, df, between/df, chi, p; ...
    'Error', whole - between, N - df - 1, (whole - between)/(N - df - 1), [], []; 'Total', whole, N - 1, [], [], []};
stats = struct('gnames', {names}, 'n', n', 'source', 'kruskalwallis', 'meanranks', means', 'sumt', 2*tie);
shownAnova(tbl, y, place, names, displayopt);
end
