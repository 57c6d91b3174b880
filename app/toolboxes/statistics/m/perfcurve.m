function [X, Y, T, AUC, opt, suby, names] = perfcurve(labels, scores, posclass, varargin)
% [X, Y, T, AUC] = perfcurve(labels, scores, posclass): the receiver operating characteristic of scores: false
%   and true positives, thresholds, the area below.
%   [X, Y, T, AUC, opt, suby, names] = perfcurve(...): the best point for the costs, and Y and the name of each
%   negative class. Options: 'XCrit' (fpr), 'YCrit' (tpr): one of tp fn fp tn tp+fp rpp rnp accu tpr fnr fpr tnr
%   ppv npv ecost (and sens, reca, miss, fall, spec, prec); 'XVals', 'TVals', 'UseNearest', 'NegClass',
%   'Weights', 'Prior' (empirical, uniform or two numbers), 'Cost'.
parser = inputParser;
parser.FunctionName = 'perfcurve';
defaults = {'XCrit', 'fpr', 'YCrit', 'tpr', 'XVals', 'all', 'TVals', 'all', 'UseNearest', 'on', ...
    'NegClass', 'all', 'Weights', [], 'Prior', 'empirical', 'Cost', [0 1; 1 0]};
for k = 1:2:numel(defaults), addParameter(parser, defaults{k}, defaults{k + 1}); end
parse(parser, varargin{:});
o = parser.Results;
nearest = strcmp(validatestring(string(o.UseNearest), ["on" "off"], 'perfcurve', 'UseNearest'), "on");
[names, place, wanted] = classesOf(labels, posclass);
scores = scores(:);
weights = o.Weights(:);
if isempty(weights), weights = ones(size(scores)); end
if numel(place) ~= numel(scores) || numel(weights) ~= numel(scores)
    error('stats:perfcurve:InputSizeMismatch', 'There must be a score for each label.');
end
negative = setdiff((1:numel(names))', wanted);
if ~(ischar(o.NegClass) || isstring(o.NegClass)) || ~strcmpi(o.NegClass, 'all')
    negative = find(ismember(names, cellstr(string(o.NegClass))));
end
kept = ismember(place, [wanted; negative]) & ~isnan(scores);
[scores, order] = sort(scores(kept), 'descend');
place = reshape(place(kept), [], 1);
place = place(order);
weights = weights(kept);
weights = weights(order).*priorShares(place == wanted, weights(order), o.Prior);
last = [find(diff(scores)); numel(scores)];
[X, Y] = curves(place == wanted, place ~= wanted, weights, last, o);
T = scores([1; last]);
AUC = area(X, Y);
opt = bestPoint(place == wanted, weights, last, o.Cost);
suby = zeros(numel(last) + 1, numel(negative));
for k = 1:numel(negative)
    [~, suby(:, k)] = curves(place == wanted, place == negative(k), weights, last, o);
end
names = names(negative)';
[at, fixed] = chosenPoints(X, T, o, nearest);
[X, Y, T, suby] = deal(X(at), Y(at), T(at), suby(at, :));
if ~isempty(fixed), X = fixed; end
end

function [names, place, wanted] = classesOf(labels, posclass)
if ischar(labels), labels = cellstr(labels); end
[values, ~, place] = unique(labels(:));
names = cellstr(string(values));
wanted = find(strcmp(names, string(posclass)));
if isempty(wanted)
    error('stats:perfcurve:PosClassNotFound', 'The positive class has no labels.');
end
end

function w = priorShares(positive, weights, prior)
w = ones(size(weights));
if ischar(prior) || isstring(prior)
    if strcmp(validatestring(prior, {'empirical', 'uniform'}, 'perfcurve', 'Prior'), 'empirical'), return, end
    prior = [0.5 0.5];
end
total = sum(weights);
w(positive) = prior(1)/sum(prior)*total/sum(weights(positive));
w(~positive) = prior(2)/sum(prior)*total/sum(weights(~positive));
end

function [tp, fp, P, N] = counts(positive, other, weights, last)
hits = [0; cumsum(weights.*positive)];
falls = [0; cumsum(weights.*other)];
tp = hits([1; last + 1]);
fp = falls([1; last + 1]);
P = hits(end);
N = falls(end);
end

function [x, y] = curves(positive, other, weights, last, o)
[tp, fp, P, N] = counts(positive, other, weights, last);
x = criterion(o.XCrit, tp, fp, P, N, o.Cost, 'XCrit');
y = criterion(o.YCrit, tp, fp, P, N, o.Cost, 'YCrit');
end

function v = criterion(name, tp, fp, P, N, cost, option)
if isa(name, 'function_handle')
    v = arrayfun(@(a, b) name([a, P - a; b, N - b], [P; N]/(P + N), cost), tp, fp);
    return
end
words = {'tp', 'fn', 'fp', 'tn', 'tp+fp', 'rpp', 'rnp', 'accu', 'tpr', 'sens', 'reca', 'fnr', 'miss', ...
    'fpr', 'fall', 'tnr', 'spec', 'ppv', 'prec', 'npv', 'ecost'};
if ~any(strcmpi(name, words))
    error('stats:perfcurve:BadCriterion', '%s must be one of: %s.', option, strjoin(words, ', '));
end
fn = P - tp;
tn = N - fp;
switch lower(char(name))
    case 'tp',   v = tp;
    case 'fn',   v = fn;
    case 'fp',   v = fp;
    case 'tn',   v = tn;
    case 'tp+fp', v = tp + fp;
    case 'rpp',  v = (tp + fp)/(P + N);
    case 'rnp',  v = (tn + fn)/(P + N);
    case 'accu', v = (tp + tn)/(P + N);
    case {'tpr', 'sens', 'reca'}, v = tp/P;
    case {'fnr', 'miss'}, v = fn/P;
    case {'fpr', 'fall'}, v = fp/N;
    case {'tnr', 'spec'}, v = tn/N;
    case {'ppv', 'prec'}, v = tp./(tp + fp);
    case 'npv',  v = tn./(tn + fn);
    case 'ecost'
        v = (tp*cost(1, 1) + fn*cost(1, 2) + fp*cost(2, 1) + tn*cost(2, 2))/(P + N);
end
end

function a = area(x, y)
known = ~isnan(x) & ~isnan(y);
a = abs(trapz(x(known), y(known)));
end

function point = bestPoint(positive, weights, last, cost)
[tp, fp, P, N] = counts(positive, ~positive, weights, last);
slope = (cost(2, 1) - cost(2, 2))/(cost(1, 2) - cost(1, 1))*N/P;
[~, at] = max(tp/P - slope*fp/N);
point = [fp(at)/N, tp(at)/P];
end

function [at, fixed] = chosenPoints(X, T, o, nearest)
fixed = [];
at = (1:numel(T))';
if isnumeric(o.TVals)
    wanted = sort(o.TVals(:), 'descend');
    [~, at] = min(abs(T(:) - wanted'), [], 1);
elseif isnumeric(o.XVals)
    wanted = sort(o.XVals(:));
    [~, at] = min(abs(X(:) - wanted'), [], 1);
    if ~nearest, fixed = wanted; end
else
    return
end
at = at(:);
end
