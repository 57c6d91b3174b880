function [p, tbl, stats] = anova2(x, reps, displayopt)
% [p, tbl, stats] = anova2(x, reps): whether the columns, the rows (of reps lines each) and their interaction matter.
if nargin < 2, reps = 1; end
if nargin > 2, validatestring(displayopt, {'on', 'off'}, 'anova2'); end
[r, c] = size(x);
if mod(r, reps), error('stats:anova2:BadSize', 'The number of lines must be a multiple of REPS.'); end
m = r/reps;
cells_ = squeeze(mean(reshape(x, reps, m, c), 1));
cells_ = reshape(cells_, m, c);
grand = mean(x(:));
columns_ = r*sum((mean(x, 1) - grand).^2);
rows_ = c*reps*sum((mean(cells_, 2) - grand).^2);
total = sum((x(:) - grand).^2);
both = reps*sum((cells_ - mean(cells_, 1) - mean(cells_, 2) + grand).^2, 'all');
if reps > 1
    ss = [columns_ rows_ both];
    df = [c - 1, m - 1, (c - 1)*(m - 1)];
    [sse, dfe] = deal(total - sum(ss), r*c - m*c);
    names = {'Columns'; 'Rows'; 'Interaction'};
else
    ss = [columns_ rows_];
    df = [c - 1, m - 1];
    [sse, dfe] = deal(both, (c - 1)*(m - 1));
    names = {'Columns'; 'Rows'};
end
f = (ss./df)/(sse/dfe);
p = 1 - fcdf(f, df, dfe);
body = num2cell([ss(:) df(:) ss(:)./df(:) f(:) p(:)]);
tbl = [{'Source', 'SS', 'df', 'MS', 'F', 'Prob>F'}; [names body]; {'Error', sse, dfe, sse/dfe, [], []}; {'Total', total, r*c - 1, [], [], []}];
stats = struct('source', 'anova2', 'sigmasq', sse/dfe, 'colmeans', mean(x, 1), 'coln', r, ...
    'rowmeans', mean(cells_, 2)', 'rown', c*reps, 'inter', double(reps > 1), 'pval', NaN, 'df', dfe);
if reps > 1, stats.pval = p(3); end
end
