function [t, chi2, p, labels] = crosstab(a, b)
% [t, chi2, p, labels] = crosstab(a, b): how often pairs of groups occur, and the test that they do so independently.
[i, names1] = grp2idx(a);
[j, names2] = grp2idx(b);
keep = ~isnan(i) & ~isnan(j);
t = accumarray([i(keep) j(keep)], 1, [numel(names1) numel(names2)]);
expected = sum(t, 2)*sum(t, 1)/sum(t(:));
chi2 = sum((t - expected).^2./expected, 'all');
p = 1 - chi2cdf(chi2, prod(size(t) - 1));
n = max(numel(names1), numel(names2));
labels = cell(n, 2);
labels(1:numel(names1), 1) = names1;
labels(1:numel(names2), 2) = names2;
end
