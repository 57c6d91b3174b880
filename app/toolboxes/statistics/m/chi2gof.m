function [h, p, stats] = chi2gof(x, varargin)
% [h, p, stats] = chi2gof(x): the chi-square test of a normal distribution with the mean and deviation of x:
%   1 when it is rejected.
%   Options: 'CDF' (a distribution, a handle, or a cell of a handle and its parameters), 'Expected' (counts),
%   'NBins' (10), 'Edges', 'Ctrs', 'Frequency', 'NParams', 'EMin' (5), 'Alpha' (0.05).
o = inputParser;
o.FunctionName = 'chi2gof';
cellfun(@(name) addParameter(o, name, []), {'CDF', 'Expected', 'Edges', 'Ctrs', 'Frequency', 'NParams'});
addParameter(o, 'NBins', 10);
addParameter(o, 'EMin', 5);
addParameter(o, 'Alpha', 0.05);
parse(o, varargin{:});
o = o.Results;
if ~isvector(x), error('stats:chi2gof:NotVector', 'X must be a vector.'); end
x = x(:);
count = o.Frequency(:);
if isempty(count), count = ones(size(x)); end
if numel(count) ~= numel(x)
    error('stats:chi2gof:InputSizeMismatch', 'X and the frequencies must be of the same size.');
end
count = count(~isnan(x));
x = x(~isnan(x));
edges = binEdges(x, o);
bins = discretize(x, edges);
inside = ~isnan(bins);
observed = accumarray(bins(inside), count(inside), [numel(edges) - 1, 1])';
[expected, parameters] = expectedCounts(x, count, edges, sum(count), o);
if numel(expected) ~= numel(observed)
    error('stats:chi2gof:BadExpected', 'There must be one expected count for each bin.');
end
if ~isempty(o.NParams), parameters = o.NParams; end
[observed, expected, edges] = pooledBins(observed, expected, edges, o.EMin);
statistic = sum((observed - expected).^2./expected);
df = max(numel(observed) - 1 - parameters, 0);
if df > 0, p = gammainc(statistic/2, df/2, 'upper'); else, p = NaN; end
h = double(p <= o.Alpha);
stats = struct('chi2stat', statistic, 'df', df, 'edges', edges, 'O', observed, 'E', expected);
end

function edges = binEdges(x, o)
if ~isempty(o.Edges)
    edges = o.Edges(:)';
elseif ~isempty(o.Ctrs)
    c = o.Ctrs(:)';
    inner = (c(1:end-1) + c(2:end))/2;
    edges = [c(1) - (inner(1) - c(1)), inner, c(end) + (c(end) - inner(end))];
    edges(1) = min(edges(1), min(x));
    edges(end) = max(edges(end), max(x));
else
    edges = linspace(min(x), max(x), o.NBins + 1);
end
end

function [expected, parameters] = expectedCounts(x, count, edges, total, o)
parameters = 0;
if ~isempty(o.Expected)
    expected = o.Expected(:)';
    return
end
ends = [-Inf, edges(2:end-1), Inf];
given = o.CDF;
if isempty(given)
    middle = sum(x.*count)/total;
    spread = sqrt(sum(count.*(x - middle).^2)/(total - 1));
    below = normcdf(ends, middle, spread);
    parameters = 2;
elseif iscell(given)
    below = feval(given{1}, ends, given{2:end});
    parameters = numel(given) - 1;
elseif isa(given, 'function_handle')
    below = given(ends);
else
    below = cdf(given, ends);
    parameters = sum(~given.ParameterIsFixed);
end
expected = total*diff(below(:)');
end

function [o, e, edges] = pooledBins(o, e, edges, least)
% Bins at both ends joined until enough observations are expected in each.
while numel(e) > 2 && e(1) < least
    o(2) = o(1) + o(2);
    e(2) = e(1) + e(2);
    o(1) = []; e(1) = []; edges(2) = [];
end
while numel(e) > 2 && e(end) < least
    o(end-1) = o(end-1) + o(end);
    e(end-1) = e(end-1) + e(end);
    o(end) = []; e(end) = []; edges(end-1) = [];
end
end
