function [B, info] = lassoglm(X, y, distr, varargin)
% [B, FitInfo] = lassoglm(X, y), lassoglm(X, y, distr, ...): generalized linear models with a penalty on the sum of sizes, a column of coefficients for each penalty:
%   the least of deviance/n + lambda*((1 - alpha)/2*sum(b.^2) + alpha*sum(abs(b))). distr is 'normal', 'binomial' (y of 0 and 1, or successes and trials), 'poisson',
%   'gamma' or 'inverse gaussian'. Options: 'Alpha' (1), 'CV' (a number of folds or a cvpartition), 'Lambda', 'LambdaRatio' (1e-4), 'Link', 'NumLambda' (100), 'Offset',
%   'PredictorNames', 'RelTol' (1e-4), 'Standardize' (true), 'Weights'. Reweighted lasso (Friedman, Hastie and Tibshirani, 2010).
if nargin < 3, distr = 'normal'; end
o = optionsOf(varargin);
[mean_, slope, variance, deviance, link] = familyOf(distr, o.link);
trials = ones(size(X, 1), 1);
if size(y, 2) == 2, trials = y(:, 2); y = y(:, 1)./trials; end
y = double(y(:));
n = numel(y);
w = ones(n, 1);
if ~isempty(o.weights), w = n*o.weights(:)/sum(o.weights); end
if isempty(o.offset), o.offset = zeros(n, 1); end
if size(X, 1) ~= n || numel(w) ~= n || numel(o.offset) ~= n, error('stats:lassoglm:InputSizeMismatch', 'X, y, weights and offset must have the same rows.'); end
keep = ~any(isnan([X y w o.offset(:)]), 2);
[X, y, w, trials, offset] = deal(X(keep, :), y(keep), w(keep).*trials(keep), trials(keep), o.offset(keep));
[centre, wide] = deal(mean(X, 1), ones(1, size(X, 2)));
if o.standardize, wide = std(X, 1, 1); wide(wide == 0) = 1; end
unit = (X - centre)./wide;
model = struct('mean', mean_, 'slope', slope, 'variance', variance, 'link', link, 'alpha', o.alpha, 'tolerance', o.reltol);
start = link(min(max(sum(w.*y)/sum(w), 1e-8), Inf));
if isempty(o.lambda)
    [~, start] = fitted(unit(:, []), y, w, offset, model, 0, zeros(0, 1), start);
    m = mean_(start + offset);
    most = max(abs(2/numel(y)*unit'*(w.*(y - m).*slope(start + offset)./variance(m))))/max(o.alpha, 1e-3);
    lambda = most*(1 + 1e-9)*logspace(log10(o.lambdaratio), 0, o.numlambda);
else
    lambda = sort(o.lambda(:)');
end
[B, intercept, dev] = path(unit, y, w, trials, offset, model, deviance, lambda, start);
B = B./wide';
info = struct('Intercept', intercept - centre*B, 'Lambda', lambda, 'Alpha', o.alpha, 'DF', sum(B ~= 0, 1), 'Deviance', dev);
info.PredictorNames = o.predictornames;
if isempty(o.cv), return, end
split = o.cv;
if isnumeric(split), split = cvpartition(numel(y), 'KFold', split); end
left = zeros(split.NumTestSets, numel(lambda));
for k = 1:split.NumTestSets
    [in, out] = deal(training(split, k), test(split, k));
    [b, b0] = path(unit(in, :), y(in), w(in), trials(in), offset(in), model, deviance, lambda, start);
    m = mean_(b0 + unit(out, :)*b + offset(out));
    for j = 1:numel(lambda), left(k, j) = sum(deviance(y(out), m(:, j), w(out)))*split.NumTestSets; end
end
info.Deviance = mean(left, 1);
info.SE = std(left, 0, 1)/sqrt(split.NumTestSets);
[least, at] = min(info.Deviance);
near = find(info.Deviance <= least + info.SE(at), 1, 'last');
[info.LambdaMinDeviance, info.Lambda1SE, info.IndexMinDeviance, info.Index1SE] = deal(lambda(at), lambda(near), at, near);
end

function o = optionsOf(pairs)
o = struct('alpha', 1, 'cv', [], 'lambda', [], 'lambdaratio', 1e-4, 'link', '', 'numlambda', 100, 'offset', [], 'predictornames', {{}}, 'reltol', 1e-4, ...
    'standardize', true, 'weights', []);
for k = 1:2:numel(pairs)
    name = lower(char(pairs{k}));
    if ~isfield(o, name) || k == numel(pairs)
        error('stats:lassoglm:BadOption', '''%s'' is not an option of lassoglm here, or lacks its value.', char(pairs{k}));
    end
    o.(name) = pairs{k + 1};
end
if ~(o.alpha > 0 && o.alpha <= 1), error('stats:lassoglm:Alpha', 'Alpha must lie above 0 and be at most 1.'); end
end

function [mean_, slope, variance, deviance, link] = familyOf(distr, word)
distr = validatestring(distr, {'normal', 'binomial', 'poisson', 'gamma', 'inverse gaussian'}, 'lassoglm', 'distr');
part = @(y, m) y.*log(max(y, realmin)./m);
switch distr
    case 'normal', [variance, usual] = deal(@(m) ones(size(m)), 'identity'); deviance = @(y, m, w) w.*(y - m).^2;
    case 'binomial', [variance, usual] = deal(@(m) max(m.*(1 - m), 1e-10), 'logit'); deviance = @(y, m, w) 2*w.*(part(y, m) + part(1 - y, 1 - m));
    case 'poisson', [variance, usual] = deal(@(m) m, 'log'); deviance = @(y, m, w) 2*w.*(part(y, m) - (y - m));
    case 'gamma', [variance, usual] = deal(@(m) m.^2, 'reciprocal'); deviance = @(y, m, w) 2*w.*(-log(y./m) + (y - m)./m);
    case 'inverse gaussian', [variance, usual] = deal(@(m) m.^3, '-2'); deviance = @(y, m, w) w.*(y - m).^2./(m.^2.*y);
end
if isempty(word), word = usual; end
switch validatestring(word, {'identity', 'log', 'logit', 'probit', 'comploglog', 'loglog', 'reciprocal', '-2'}, 'lassoglm', 'Link')
    case 'identity', [link, mean_, slope] = deal(@(m) m, @(e) e, @(e) ones(size(e)));
    case 'log', [link, mean_, slope] = deal(@log, @exp, @exp);
    case 'logit', [link, mean_, slope] = deal(@(m) log(m./(1 - m)), @logistic, @(e) max(logistic(e).*(1 - logistic(e)), 1e-10));
    case 'probit', [link, mean_, slope] = deal(@norminv, @(e) min(max(normcdf(e), 1e-10), 1 - 1e-10), @(e) max(normpdf(e), 1e-10));
    case 'comploglog', [link, mean_, slope] = deal(@(m) log(-log(1 - m)), @(e) min(max(1 - exp(-exp(e)), 1e-10), 1 - 1e-10), @(e) max(exp(e - exp(e)), 1e-10));
    case 'loglog', [link, mean_, slope] = deal(@(m) -log(-log(m)), @(e) min(max(exp(-exp(-e)), 1e-10), 1 - 1e-10), @(e) max(exp(-e - exp(-e)), 1e-10));
    case 'reciprocal', [link, mean_, slope] = deal(@(m) 1./m, @(e) 1./e, @(e) -1./e.^2);
    case '-2', [link, mean_, slope] = deal(@(m) 1./m.^2, @(e) 1./sqrt(e), @(e) -0.5*e.^-1.5);
end
end

function m = logistic(e)
m = min(max(1./(1 + exp(-e)), 1e-10), 1 - 1e-10);
end

function [B, intercept, dev] = path(X, y, w, trials, offset, model, deviance, lambda, start)
% From the largest penalty down, each fit from the one before.
[B, intercept, dev] = deal(zeros(size(X, 2), numel(lambda)), zeros(1, numel(lambda)), zeros(1, numel(lambda)));
[b, b0] = deal(zeros(size(X, 2), 1), start);
for k = numel(lambda):-1:1
    [b, b0] = fitted(X, y, w, offset, model, lambda(k), b, b0);
    [B(:, k), intercept(k)] = deal(b, b0);
    dev(k) = sum(deviance(y, model.mean(b0 + X*b + offset), w));
end
end

function [b, b0] = fitted(X, y, w, offset, model, lambda, b, b0)
n = numel(y);
for pass = 1:100
    eta = b0 + X*b + offset;
    [m, d] = deal(model.mean(eta), model.slope(eta));
    weight = w.*d.^2./model.variance(m);
    z = eta - offset + (y - m)./d;
    old = [b0; b];
    if isempty(b)
        b0 = sum(weight.*z)/sum(weight);
    else
        [b, facts] = lasso(X, z, 'Lambda', lambda*n/(2*sum(weight)), 'Alpha', model.alpha, 'Weights', weight, 'Standardize', false);
        b0 = facts.Intercept;
    end
    if norm([b0; b] - old) <= 1e-3*model.tolerance*max(norm(old), 1e-3), break, end
end
end
