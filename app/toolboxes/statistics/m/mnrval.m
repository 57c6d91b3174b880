function [pihat, low, high] = mnrval(B, X, varargin)
% pihat = mnrval(B, X): probabilities of the categories of a multinomial logistic regression, a row for each row of X.
%   yhat = mnrval(B, X, ssize): expected counts for ssize trials. [pihat, low, high] = mnrval(B, X, stats): the halves below
%   and above of confidence intervals, from the covariance of mnrfit's stats. Options: 'Model' ('nominal', 'ordinal',
%   'hierarchical'), 'Interactions' ('on', 'off'), 'Link' ('logit', 'probit', 'comploglog', 'loglog'), 'Type' ('category',
%   'cumulative', 'conditional'), 'Confidence' (0.95). Without interactions B is a column: the intercepts, then the slopes.
[ssize, stats] = deal(1, []);
if ~isempty(varargin) && (isnumeric(varargin{1}) || isstruct(varargin{1}))
    if isstruct(varargin{1}), stats = varargin{1}; else, ssize = varargin{1}(:); end
    varargin(1) = [];
    if ~isempty(varargin) && isstruct(varargin{1}), [stats, varargin] = deal(varargin{1}, varargin(2:end)); end
end
[model, interactions, link, type, confidence] = optionsOf(varargin);
if strcmp(model, 'nominal') && ~strcmp(link, 'logit')
    error('stats:mnrval:BadLink', 'The link of a nominal model is ''logit''.');
end
if ~isscalar(ssize) && numel(ssize) ~= size(X, 1)
    error('stats:mnrval:InputSizeMismatch', 'SSIZE must be a scalar or have an element for each row of X.');
end
parameters = B;
predicted = @(b) ssize.*probabilities(b, X, model, interactions, link, type);
pihat = predicted(parameters);
if nargout < 2, return, end
if isempty(stats), error('stats:mnrval:NoStats', 'Confidence bounds need the structure STATS of mnrfit.'); end
spread = zeros(size(pihat));
slopes = zeros(numel(pihat), numel(B));
for k = 1:numel(B)
    step = 1e-6*max(1, abs(B(k)));
    [up, down] = deal(B);
    up(k) = up(k) + step;
    down(k) = down(k) - step;
    slopes(:, k) = reshape(predicted(up) - predicted(down), [], 1)/(2*step);
end
spread(:) = sqrt(sum((slopes*stats.covb).*slopes, 2));
tail = (1 + confidence)/2;
if stats.estdisp, reach = tinv(tail, stats.dfe); else, reach = norminv(tail); end
low = reach*spread;
high = low;
end

function [model, interactions, link, type, confidence] = optionsOf(pairs)
known = struct('model', 'nominal', 'interactions', '', 'link', 'logit', 'type', 'category', 'confidence', 0.95);
for k = 1:2:numel(pairs)
    name = lower(char(pairs{k}));
    if ~isfield(known, name) || k == numel(pairs)
        error('stats:mnrval:BadOption', '''%s'' is not an option of mnrval, or lacks its value.', char(pairs{k}));
    end
    known.(name) = pairs{k + 1};
end
model = validatestring(known.model, {'nominal', 'ordinal', 'hierarchical'}, 'mnrval', 'Model');
if isempty(known.interactions)
    interactions = ~strcmp(model, 'ordinal');
else
    interactions = strcmp(validatestring(known.interactions, {'on', 'off'}, 'mnrval', 'Interactions'), 'on');
end
link = validatestring(known.link, {'logit', 'probit', 'comploglog', 'loglog'}, 'mnrval', 'Link');
type = validatestring(known.type, {'category', 'cumulative', 'conditional'}, 'mnrval', 'Type');
confidence = known.confidence;
if ~isscalar(confidence) || confidence <= 0 || confidence >= 1
    error('stats:mnrval:BadConfidence', 'Confidence must be a number between 0 and 1.');
end
end

function pi = probabilities(B, X, model, interactions, link, type)
[n, p] = size(X);
if interactions
    if size(B, 1) ~= p + 1, error('stats:mnrval:InputSizeMismatch', 'B must have a row for the intercept and each column of X.'); end
    eta = [ones(n, 1) X]*B;
else
    others = numel(B) - p;
    if others < 1, error('stats:mnrval:InputSizeMismatch', 'B must hold the intercepts and a slope for each column of X.'); end
    eta = reshape(B(1:others), 1, []) + X*reshape(B(others + 1:end), [], 1);
end
if strcmp(model, 'nominal')
    pi = exp([eta zeros(n, 1)] - max([eta zeros(n, 1)], [], 2));
    pi = pi./sum(pi, 2);
else
    switch link
        case 'logit', share = 1./(1 + exp(-eta));
        case 'probit', share = normcdf(eta);
        case 'comploglog', share = 1 - exp(-exp(eta));
        case 'loglog', share = exp(-exp(-eta));
    end
    if strcmp(model, 'ordinal')
        pi = diff([zeros(n, 1) share ones(n, 1)], 1, 2);
    else
        left = cumprod([ones(n, 1) 1 - share], 2);
        pi = left.*[share ones(n, 1)];
    end
end
switch type
    case 'cumulative'
        pi = cumsum(pi(:, 1:end - 1), 2);
    case 'conditional'
        left = fliplr(cumsum(fliplr(pi), 2));
        pi = pi(:, 1:end - 1)./left(:, 1:end - 1);
end
end
