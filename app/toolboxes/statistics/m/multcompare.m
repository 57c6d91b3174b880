function [c, m, h, names] = multcompare(stats, varargin)
% c = multcompare(stats, ...): which groups of anova1, kruskalwallis or friedman differ. Rows of c: two groups, lower end,
%   difference, upper end, probability. Options: Alpha (.05), Display ('on', 'off'), CType or CriticalValueType
%   ('tukey-kramer' or 'hsd', 'bonferroni', 'dunn-sidak', 'lsd', 'scheffe').
o = classreg.Learner.options('multcompare', varargin, {'Alpha', 'Display', 'CType', 'CriticalValueType'});
[alpha, kind, shown] = deal(.05, 'tukey-kramer', true);
if isfield(o, 'Alpha'), alpha = o.Alpha; end
if isfield(o, 'Display'), shown = strcmpi(o.Display, 'on'); end
for name = {'CType', 'CriticalValueType'}, if isfield(o, name{1}), kind = o.(name{1}); end, end
kind = validatestring(kind, {'tukey-kramer', 'hsd', 'bonferroni', 'dunn-sidak', 'lsd', 'scheffe'}, 'multcompare');
switch stats.source
    case 'anova1'
        [means, n, df, names] = deal(stats.means(:), stats.n(:), stats.df, stats.gnames);
        variance = stats.s^2./n;
    case 'kruskalwallis'
        [means, n, df, names] = deal(stats.meanranks(:), stats.n(:), Inf, stats.gnames);
        N = sum(n);
        variance = (N*(N + 1)/12 - stats.sumt/(12*(N - 1)))./n;
    case 'friedman'
        [means, df] = deal(stats.meanranks(:), Inf);
        n = repmat(stats.n, numel(means), 1);
        names = arrayfun(@num2str, (1:numel(means))', 'UniformOutput', false);
        variance = stats.sigma^2./n;
    otherwise
        error('stats:multcompare:BadStats', 'Statistics of ''%s'' are not taken; those of anova1, kruskalwallis and friedman are.', stats.source);
end
if ischar(names), names = cellstr(names); end
k = numel(means);
pairs = nchoosek(1:k, 2);
count = size(pairs, 1);
difference = means(pairs(:, 1)) - means(pairs(:, 2));
error_ = sqrt(variance(pairs(:, 1)) + variance(pairs(:, 2)));
t = abs(difference)./error_;
both = 2*tails(t, df);
switch kind
    case {'tukey-kramer', 'hsd'}
        critical = rangeInverse(1 - alpha, k, df)/sqrt(2);
        p = 1 - arrayfun(@(q) rangeProbability(q, k, df), t*sqrt(2));
    case 'lsd'
        [critical, p] = deal(quantile_(1 - alpha/2, df), both);
    case 'bonferroni'
        [critical, p] = deal(quantile_(1 - alpha/(2*count), df), min(1, count*both));
    case 'dunn-sidak'
        [critical, p] = deal(quantile_(1 - (1 - (1 - alpha)^(1/count))/2, df), 1 - (1 - both).^count);
    case 'scheffe'
        if isinf(df)
            critical = sqrt(chi2inv(1 - alpha, k - 1));
            p = 1 - chi2cdf(t.^2, k - 1);
        else
            critical = sqrt((k - 1)*finv(1 - alpha, k - 1, df));
            p = 1 - fcdf(t.^2/(k - 1), k - 1, df);
        end
end
c = [pairs difference - critical*error_ difference difference + critical*error_ max(p, 0)];
m = [means sqrt(variance)];
h = [];
if shown
    h = figure;
    half = critical/sqrt(2)*m(:, 2);
    errorbar(means, (k:-1:1)', half, 'horizontal', 'o');
    yticks(1:k);
    yticklabels(flip(names(:)'));
    ylim([0 k + 1]);
end
end

function p = tails(t, df)
if isinf(df), p = normcdf(-t); else, p = tcdf(-t, df); end
end

function t = quantile_(p, df)
if isinf(df), t = norminv(p); else, t = tinv(p, df); end
end

function q = rangeInverse(p, k, df)
q = fzero(@(q) rangeProbability(q, k, df) - p, [1e-3 200]);
end

function p = rangeProbability(q, k, df)
% The distribution of the studentised range, integrated over the deviation and over the largest value.
[x, w] = nodes(64);
z = 8*x';
wz = 8*w';
if isinf(df)
    [s, ws] = deal(1, 1);
else
    width = min(8/sqrt(2*df), 1)*1.2;
    [low, high] = deal(max(1e-6, 1 - width), 1 + 8/sqrt(2*df) + .5);
    if df < 20, low = 1e-6; end
    s = (low + high)/2 + (high - low)/2*x;
    logf = log(2) + df/2*log(df/2) - gammaln(df/2) + (df - 1)*log(s) - df*s.^2/2;
    ws = (high - low)/2*w.*exp(logf);
end
inner = k*normpdf(z).*(normcdf(z) - normcdf(z - q*s)).^(k - 1);
p = min(max(sum(ws.*(inner*wz')), 0), 1);
end

function [x, w] = nodes(n)
% The points and weights of Gauss and Legendre, as columns.
b = .5./sqrt(1 - (2*(1:n - 1)).^(-2));
[V, D] = eig(diag(b, 1) + diag(b, -1));
[x, order] = sort(diag(D));
w = 2*V(1, order)'.^2;
end
