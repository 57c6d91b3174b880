function g = fitgmdist(X, k, varargin)
% g = fitgmdist(X, k, ...): a mixture of k normal distributions by expectation and maximisation. Options:
%   CovarianceType (full, diagonal), SharedCovariance, RegularizationValue, Replicates, Options (statset with MaxIter,
%   TolFun), Start ('plus', 'randSample', a vector of parts, or a struct with mu, Sigma, ComponentProportion),
%   ProbabilityTolerance.
known = {'CovarianceType', 'CovType', 'SharedCovariance', 'SharedCov', 'RegularizationValue', 'Regularize', ...
    'Replicates', 'Options', 'Start', 'ProbabilityTolerance'};
o = classreg.Learner.options('fitgmdist', varargin, known);
for pair = {'CovType', 'SharedCov', 'Regularize'; 'CovarianceType', 'SharedCovariance', 'RegularizationValue'}
    if isfield(o, pair{1}), o.(pair{2}) = o.(pair{1}); end
end
s = struct('Type', 'full', 'Shared', false, 'Added', 0, 'MaxIter', 100, 'TolFun', 1e-6);
if isfield(o, 'CovarianceType'), s.Type = validatestring(o.CovarianceType, {'full', 'diagonal'}, 'fitgmdist'); end
if isfield(o, 'SharedCovariance'), s.Shared = logical(o.SharedCovariance); end
if isfield(o, 'RegularizationValue'), s.Added = o.RegularizationValue; end
if isfield(o, 'Options')
    if ~isempty(o.Options.MaxIter), s.MaxIter = o.Options.MaxIter; end
    if ~isempty(o.Options.TolFun), s.TolFun = o.Options.TolFun; end
end
X = X(~any(isnan(X), 2), :);
if size(X, 1) <= size(X, 2)
    error('stats:gmdistribution:TooFewN', 'X must have more rows than columns.');
end
times = 1;
if isfield(o, 'Replicates'), times = o.Replicates; end
start = 'plus';
if isfield(o, 'Start'), start = o.Start; end
best = Inf;
for r = 1:times
    [found, facts] = climbed(X, k, first(X, k, start), s);
    if facts.NegativeLogLikelihood < best
        best = facts.NegativeLogLikelihood;
        g = described(found, facts);
    end
end
if ~g.Converged
    warning('stats:gmdistribution:FailedToConverge', 'Failed to converge in %d iterations for gmdistribution with %d components', s.MaxIter, k);
end
end

function P = first(X, k, start)
% The probabilities of the parts to begin with, or a mixture.
n = size(X, 1);
if isstruct(start)
    p = ones(1, k)/k;
    if isfield(start, 'ComponentProportion'), p = start.ComponentProportion; end
    P = gmdistribution(start.mu, start.Sigma, p);
elseif isnumeric(start)
    P = double(start(:) == 1:k);
else
    switch validatestring(start, {'plus', 'randSample'}, 'fitgmdist')
        case 'plus'
            C = X(randi(n), :);
            for j = 2:k
                d = min(pdist2(X, C).^2, [], 2);
                C(j, :) = X(find(rand*sum(d) <= cumsum(d), 1), :);
            end
        otherwise
            C = X(randperm(n, k), :);
    end
    S = diag(var(X, 0, 1));
    P = gmdistribution(C, S + (all(S(:) == 0))*eye(size(X, 2)), ones(1, k)/k);
end
end

function [g, facts] = climbed(X, k, g, s)
[n, d] = size(X);
[before, converged] = deal(-Inf, false);
for step = 1:s.MaxIter
    if isnumeric(g), P = g; else, P = posterior(g, X); end
    g = mixture(X, P, k, s);
    [~, nlogL] = posterior(g, X);
    if abs(-nlogL - before) <= s.TolFun*abs(nlogL), converged = true; break, end
    before = -nlogL;
end
covariances = d*(d + 1)/2;
if strcmp(s.Type, 'diagonal'), covariances = d; end
if ~s.Shared, covariances = covariances*k; end
free = covariances + k - 1 + k*d;
facts = struct('NegativeLogLikelihood', nlogL, 'NumIterations', step, 'Converged', converged, ...
    'AIC', 2*nlogL + 2*free, 'BIC', 2*nlogL + free*log(n), 'RegularizationValue', s.Added, ...
    'SharedCovariance', s.Shared, 'CovarianceType', s.Type);
end

function g = mixture(X, P, k, s)
[n, d] = size(X);
weight = sum(P, 1);
mu = (P'*X)./weight';
S = zeros(d, d, k);
for j = 1:k
    c = X - mu(j, :);
    S(:, :, j) = c'*(P(:, j).*c)/weight(j) + s.Added*eye(d);
end
if s.Shared, S = sum(S.*reshape(weight/n, 1, 1, []), 3); end
if strcmp(s.Type, 'diagonal') && d > 1
    D = zeros(1, d, size(S, 3));
    for j = 1:size(S, 3), D(1, :, j) = diag(S(:, :, j)); end
    S = D;
end
for j = 1:size(S, 3)
    full = S(:, :, j);
    if size(full, 1) == 1 && d > 1, full = diag(full); end
    [~, flag] = chol(full);
    if flag
        error('stats:gmdistribution:IllCondCovIter', 'Ill-conditioned covariance created: use RegularizationValue.');
    end
end
g = gmdistribution(mu, S, weight/n);
end
