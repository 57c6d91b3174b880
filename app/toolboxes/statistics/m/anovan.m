function [p, tbl, stats, terms] = anovan(y, group, varargin)
% [p, tbl, stats, terms] = anovan(y, group, ...): analysis of variance by several factors; group is a cell of grouping variables,
%   or a matrix with one in each column. p has the probability of each term, in the order of the rows of terms.
%   Options: 'model' ('linear', 'interaction', 'full', the highest order, or a matrix of terms), 'sstype' (1, 2 or 3),
%   'varnames', 'alpha', 'continuous' (numbers of factors that are numbers), 'display' ('on', 'off').
%   'random' and 'nested' are refused. Effects are coded so that they sum to zero; the sums of squares are those of Searle.
if ~iscell(group), group = num2cell(group, 1); end
if ischar(group{1}) && ~isvector(group{1}) && isscalar(group), group{1} = cellstr(group{1}); end
count = numel(group);
o = optionsOf(varargin, count);
y = y(:);
[place, names] = deal(cell(1, count));
keep = ~isnan(y);
for k = 1:count
    if any(o.continuous == k)
        place{k} = double(group{k}(:));
        names{k} = {};
    else
        [place{k}, names{k}] = grp2idx(group{k});
    end
    if numel(place{k}) ~= numel(y), error('stats:anovan:GroupVarSizeMismatch', 'Grouping variables must have the size of Y.'); end
    keep = keep & ~isnan(place{k});
end
y = y(keep);
coded = cell(1, count);
for k = 1:count
    place{k} = place{k}(keep);
    if any(o.continuous == k), coded{k} = place{k}; else, coded{k} = effectsOf(place{k}, numel(names{k})); end
end
terms = termsOf(o.model, count);
[columns, owner] = deal(ones(numel(y), 1), 0);
for t = 1:size(terms, 1)
    made = productOf(coded, terms(t, :));
    columns = [columns, made]; %#ok<AGROW>
    owner = [owner, t*ones(1, size(made, 2))]; %#ok<AGROW>
end
[sse, rank_] = leftBy(columns, y);
dfe = numel(y) - rank_;
mse = sse/dfe;
[ss, df] = deal(zeros(size(terms, 1), 1));
for t = 1:numel(ss)
    [without, with] = comparedFor(t, terms, owner, o.sstype, o.continuous);
    [more, smaller] = leftBy(columns(:, without), y);
    [less, larger] = leftBy(columns(:, with), y);
    [ss(t), df(t)] = deal(more - less, larger - smaller);
end
[meansquare, F] = deal(ss./df, ss./df/mse);
p = fcdf(1./F, dfe, df);
p(isnan(F) | df == 0) = NaN;
singular = double(rank_ < size(columns, 2));
labels = cell(numel(ss), 1);
for t = 1:numel(ss)
    parts = {};
    for k = 1:count, parts = [parts, repmat(o.varnames(k), 1, terms(t, k))]; end %#ok<AGROW>
    labels{t} = strjoin(parts, '*');
end
total = sum((y - mean(y)).^2);
tbl = [{'Source', 'Sum Sq.', 'd.f.', 'Singular?', 'Mean Sq.', 'F', 'Prob>F'}; ...
    labels, num2cell(ss), num2cell(df), num2cell(singular*ones(size(ss))), num2cell(meansquare), num2cell(F), num2cell(p); ...
    {'Error', sse, dfe, 0, mse, [], []; 'Total', total, numel(y) - 1, 0, [], [], []}];
if o.display, disp(tbl), end
stats = struct('source', 'anovan', 'resid', y - columns*pinv(columns)*y, 'coeffs', pinv(columns)*y, 'rtr', sse, 'mse', mse, ...
    'dfe', dfe, 'terms', terms, 'nlevels', cellfun(@(n) max(numel(n), 1), names)', 'continuous', o.continuous, ...
    'vars', max([zeros(1, 0), owner]), 'varnames', {o.varnames(:)}, 'grpnames', {names(:)}, 'alpha', o.alpha);
end

function o = optionsOf(pairs, count)
o = struct('model', 'linear', 'sstype', 3, 'varnames', {{}}, 'alpha', 0.05, 'continuous', [], 'display', 'on');
for k = 1:2:numel(pairs)
    name = lower(char(pairs{k}));
    if ~isfield(o, name) || k == numel(pairs)
        error('stats:anovan:BadOption', '''%s'' is not an option of anovan, or lacks its value.', char(pairs{k}));
    end
    o.(name) = pairs{k + 1};
end
if ~any(isequal(o.sstype, 1) | isequal(o.sstype, 2) | isequal(o.sstype, 3))
    error('stats:anovan:BadSumSquares', 'sstype must be 1, 2 or 3.');
end
if islogical(o.continuous), o.continuous = find(o.continuous); end
if isempty(o.varnames), o.varnames = arrayfun(@(k) sprintf('X%d', k), 1:count, 'UniformOutput', false); end
o.varnames = reshape(cellstr(o.varnames), 1, []);
if numel(o.varnames) ~= count, error('stats:anovan:VarNamesSizeMismatch', 'There must be a name for each factor.'); end
o.display = strcmp(validatestring(o.display, {'on', 'off'}, 'anovan', 'display'), 'on');
end

function terms = termsOf(model, count)
if ischar(model) || isstring(model)
    orders = struct('linear', 1, 'interaction', 2, 'full', count);
    model = orders.(validatestring(model, fieldnames(orders), 'anovan', 'model'));
end
if ~isscalar(model) || count == 1 && model > 1
    terms = model;
    if size(terms, 2) ~= count, error('stats:anovan:BadModel', 'A matrix of terms must have a column for each factor.'); end
    return
end
terms = zeros(0, count);
for order = 1:min(model, count)
    chosen = nchoosek(1:count, order);
    for k = 1:size(chosen, 1)
        term = zeros(1, count);
        term(chosen(k, :)) = 1;
        terms(end + 1, :) = term; %#ok<AGROW>
    end
end
end

function made = effectsOf(place, levels)
made = double(place == 1:levels - 1) - (place == levels);
end

function made = productOf(coded, term)
made = ones(size(coded{1}, 1), 1);
for k = find(term)
    for power = 1:term(k)
        made = reshape(made.*reshape(coded{k}, size(made, 1), 1, []), size(made, 1), []);
    end
end
end

function [without, with] = comparedFor(t, terms, owner, kind, continuous)
% Columns of the two models whose difference is the term's.
earlier = 0:t - 1;
if kind == 3
    without = owner ~= t;
    with = true(size(owner));
elseif kind == 1
    without = ismember(owner, earlier);
    with = ismember(owner, [earlier t]);
else
    others = setdiff(1:size(terms, 1), t);
    holds = arrayfun(@(k) all(terms(k, :) >= terms(t, :)) && ~any(terms(k, continuous) > terms(t, continuous)), others);
    without = ismember(owner, [0 others(~holds)]);
    with = without | owner == t;
end
end

function [sse, found] = leftBy(columns, y)
[Q, R] = qr(columns, 0);
size_ = abs(diag(R));
if any(size_ <= 1e-10*max(size_)), Q = orth(columns); end
found = size(Q, 2);
sse = sum((y - Q*(Q'*y)).^2);
end
