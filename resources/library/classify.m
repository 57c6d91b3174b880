function [class, err, posterior, logp, coeff] = classify(sample, training, group, type, prior)
% class = classify(sample, training, group): the group of each row by linear discriminant analysis.
%   classify(..., type): 'linear', 'diaglinear', 'quadratic', 'diagquadratic' or 'mahalanobis'.
%   classify(..., prior): probabilities in the order of the groups, 'empirical', default: equal.
%   [class, err, posterior, logp] = ...: the share of the training set that is misclassified,
%   weighted by the prior, the probabilities of the groups, and log densities of the rows.
%   [..., coeff]: coeff(i,j) holds the boundary of groups i and j: a row x is nearer to group i where
%   const + x*linear + x*quadratic*x' > 0 (no quadratic for the linear types).
if nargin < 4 || isempty(type)
    type = 'linear';
end
type = validatestring(type, {'linear', 'diaglinear', 'quadratic', 'diagquadratic', 'mahalanobis'});
if ischar(group)
    group = cellstr(group);
end
[names, ~, place] = unique(group(:));
count = max(place);
if nargin < 5 || isempty(prior)
    prior = ones(1, count)/count;
elseif ischar(prior) || isstring(prior)
    if ~strcmpi(prior, 'empirical')
        error('stats:classify:BadPrior', 'Unknown prior ''%s''.', char(prior));
    end
    prior = accumarray(place, 1)'/numel(place);
end
prior = prior(:)'/sum(prior);
[D, forms] = scores(sample, training, place, count, type, prior);
[~, best] = max(D, [], 2);
class = names(best, :);
[~, fitted] = max(scores(training, training, place, count, type, prior), [], 2);
wrong = accumarray(place, fitted ~= place)./accumarray(place, 1);
err = prior*wrong;
top = max(D, [], 2);
total = sum(exp(D - top), 2);
posterior = exp(D - top)./total;
logp = top + log(total) - size(training, 2)/2*log(2*pi);
if nargout > 4
    coeff = boundaries(names, type, forms);
end
end

function coeff = boundaries(names, type, forms)
% Differences of the groups' quadratic forms.
curved = ~contains(type, 'linear');
names = cellstr(string(names));
for i = numel(forms):-1:1
    for j = numel(forms):-1:1
        coeff(i, j).type = type;
        coeff(i, j).name1 = names{i};
        coeff(i, j).name2 = names{j};
        if i == j
            parts = {[], [], []};
        else
            parts = cellfun(@minus, forms{i}, forms{j}, 'UniformOutput', false);
        end
        coeff(i, j).const = parts{1};
        coeff(i, j).linear = parts{2};
        if curved, coeff(i, j).quadratic = parts{3}; end
    end
end
end

function [D, forms] = scores(x, training, place, count, type, prior)
% D: how near each row is to each group; forms: {const, linear, quadratic} of each group.
n = size(training, 1);
for g = count:-1:1
    members = training(place == g, :);
    m(g, :) = mean(members, 1);
    C{g} = cov(members);
    sizes(g) = size(members, 1);
end
pooled = 0;
for g = 1:count
    pooled = pooled + (sizes(g) - 1)*C{g}/(n - count);
end
for g = count:-1:1
    switch type
        case 'linear',        S = pooled;
        case 'diaglinear',    S = diag(diag(pooled));
        case 'diagquadratic', S = diag(diag(C{g}));
        otherwise,            S = C{g};
    end
    R = chol(S);
    far = sum(((x - m(g, :))/R).^2, 2);
    if strcmp(type, 'mahalanobis')
        least = 0;
    else
        least = log(prior(g)) - sum(log(diag(R)));
    end
    D(:, g) = least - far/2;
    towards = S\m(g, :)';
    forms{g} = {least - m(g, :)*towards/2, towards, -inv(S)/2};
end
end
