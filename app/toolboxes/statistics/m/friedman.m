function [p, tbl, stats] = friedman(x, reps, displayopt)
% [p, tbl, stats] = friedman(X, reps, 'off'): whether the columns differ, by ranks within each block of reps rows. Without
%   'off' the table is printed and the columns are drawn.
if nargin < 2, reps = 1; end
if nargin < 3, displayopt = 'on'; end
displayopt = validatestring(displayopt, {'on', 'off'}, 'friedman');
[n, k] = size(x);
if k < 2, error('stats:friedman:BadSize', 'There must be two columns or more.'); end
if mod(n, reps), error('stats:friedman:BadReps', 'The number of rows must be a multiple of reps.'); end
blocks = n/reps;
ranks = zeros(n, k);
ties = 0;
for b = 1:blocks
    rows = (b - 1)*reps + (1:reps);
    [r, tie] = tiedrank(reshape(x(rows, :), [], 1));
    ranks(rows, :) = reshape(r, reps, k);
    ties = ties + tie;
end
means = mean(ranks, 1);
m = k*reps;
between = n*sum((means - mean(ranks(:))).^2);
sigma2 = m*(m + 1)/12 - 2*ties/(12*blocks*(m - 1));
chi = between/sigma2;
if sigma2 == 0, chi = 0; end
p = chi2cdf(chi, k - 1, 'upper');
whole = sum((ranks(:) - mean(ranks(:))).^2);
rest = n*k - blocks - (k - 1);
tbl = {'Source', 'SS', 'df', 'MS', 'Chi-sq', 'Prob>Chi-sq'; 'Columns', between, k - 1, between/(k - 1), chi, p; ...
    'Error', whole - between, rest, (whole - between)/rest, [], []; 'Total', whole, n*k - 1, [], [], []};
stats = struct('source', 'friedman', 'n', n, 'meanranks', means, 'sigma', sqrt(sigma2));
names = arrayfun(@num2str, (1:k)', 'UniformOutput', false);
shownAnova(tbl, x(:), reshape(repmat(1:k, n, 1), [], 1), names, displayopt);
end
