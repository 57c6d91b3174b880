function [b, dev, stats] = mnrfit(x, y, varargin)
% [b, dev, stats] = mnrfit(x, y): multinomial logistic regression of nominal responses. y holds the numbers of the categories,
%   categories themselves, or a column of counts for each; the last category is what the others are compared with. b has the
%   intercepts in its first row and a column for each of the other categories.
options = struct('model', 'nominal', 'interactions', 'on', 'link', 'logit', 'estdisp', 'off', ...
    'iterationlimit', 100, 'tolerance', 1e-6);
for k = 1:2:numel(varargin)
    name = lower(char(varargin{k}));
    if ~isfield(options, name), error('stats:mnrfit:BadOption', '''%s'' is not an option of mnrfit.', char(varargin{k})); end
    options.(name) = varargin{k + 1};
end
if ~strcmpi(options.model, 'nominal') || ~any(strcmpi(options.interactions, {'on'})) || ~strcmpi(options.link, 'logit') || ...
        ~strcmpi(options.estdisp, 'off')
    error('stats:mnrfit:unsupportedModel', 'mnrfit fits nominal models with the logit link, all interactions and no dispersion.');
end
counts = counts_of_categories(y);
[n, p] = size(x);
if size(counts, 1) ~= n, error('stats:mnrfit:InputSizeMismatch', 'X and Y must have the same number of rows.'); end
keep = ~any(isnan([x counts]), 2);
[x, counts] = deal(x(keep, :), counts(keep, :));
design = [ones(size(x, 1), 1) x];
others = size(counts, 2) - 1;
total = sum(counts, 2);
b = zeros(p + 1, others);
for step = 1:options.iterationlimit
    shares = shares_of(design, b);
    slope = design' * (counts(:, 1:others) - total .* shares(:, 1:others));
    curvature = curvature_of(design, shares, total);
    change = reshape(curvature \ slope(:), size(b));
    b = b + change;
    if norm(change(:)) <= 1e-4 * options.tolerance * (1 + norm(b(:))), break, end
    if step == options.iterationlimit || any(~isfinite(b(:)))
        warning('stats:mnrfit:IterOrEvalLimit', 'Maximum likelihood estimation did not converge.');
        break
    end
end
shares = shares_of(design, b);
seen = counts > 0;
fitted = total .* shares;
dev = 2 * sum(counts(seen) .* log(counts(seen) ./ fitted(seen)));
if nargout > 2
    covariance = inv(curvature_of(design, shares, total));
    errors = reshape(sqrt(diag(covariance)), size(b));
    ratio = b ./ errors;
    stats = struct('beta', b, 'dfe', size(x, 1) * others - numel(b), 'sfit', NaN, 's', 1, 'estdisp', false, 'covb', covariance, ...
        'coeffcorr', covariance ./ (errors(:) * errors(:)'), 'se', errors, 't', ratio, 'p', 2 * normcdf(-abs(ratio)), ...
        'resid', counts - fitted, 'residp', (counts - fitted) ./ sqrt(fitted .* (1 - shares)));
end
end

function counts = counts_of_categories(y)
if ~isnumeric(y), y = categorical(y); end
if iscategorical(y)
    names = categories(y);
    [~, place] = ismember(y(:), names);
    y = place;
    most = numel(names);
elseif ~isvector(y)
    counts = double(y);
    return
else
    y = y(:);
    known = y(~isnan(y));
    if any(known < 1 | known ~= fix(known)), error('stats:mnrfit:BadY', 'Categories must be positive integers.'); end
    most = max(known);
end
counts = double(y == 1:most);
counts(isnan(y), :) = NaN;
end

function shares = shares_of(design, b)
shares = [design * b, zeros(size(design, 1), 1)];
shares = exp(shares - max(shares, [], 2));
shares = shares ./ sum(shares, 2);
end

function h = curvature_of(design, shares, total)
[width, others] = deal(size(design, 2), size(shares, 2) - 1);
h = zeros(width * others);
for j = 1:others
    for k = 1:others
        weight = total .* shares(:, j) .* ((j == k) - shares(:, k));
        h((j - 1) * width + (1:width), (k - 1) * width + (1:width)) = design' * (weight .* design);
    end
end
end
