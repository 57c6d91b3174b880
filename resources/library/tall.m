classdef tall
    % Arrays and tables that need not fit into memory: t = tall(datastore), t = tall(array).
    %   Nothing is read before gather(...); then the data are read part by part, once for all that
    %   is asked for together, and once more for what needs a result over all of them first.
    properties (Hidden, SetAccess = private)
        Node = [];
    end

    methods
        function t = tall(data)
            % A tall array of a datastore's data, or of an array.
            if isa(data, 'parallel.internal.TallNode')
                t.Node = data;
            elseif isa(data, 'tall')
                t = data;
            else
                t.Node = parallel.internal.TallNode('source');
                t.Node.Value = data;
            end
        end

        function varargout = gather(varargin)
            % The values of tall arrays: gather(a, b, ...) reads the data once for all of them.
            is = cellfun(@(v) isa(v, 'tall'), varargin);
            varargout = varargin;
            varargout(is) = evaluated(cellfun(@(v) v.Node, varargin(is), 'UniformOutput', false));
        end

        function tf = istall(~)
            % true.
            tf = true;
        end

        function name = classUnderlying(t)
            % The class of the data, from their beginning.
            name = class(gather(head(t, 1)));
        end

        function name = underlyingType(t), name = classUnderlying(t); end

        function disp(t)
            % That it is not evaluated; the beginning of a source.
            fprintf('  tall array (not evaluated; gather computes it)\n');
            if strcmp(t.Node.Kind, 'source') && isobject(t.Node.Value)
                disp(preview(t.Node.Value));
            end
        end

        % --- parts ---

        function varargout = subsref(t, s)
            % t(mask, ...), t(:, k), t{:, names}, t.Variable.
            switch s(1).type
                case '()'
                    r = taken(t, s(1).subs);
                case '{}'
                    r = part_by_part(@(x) x{:, :}, taken(t, s(1).subs));
                case '.'
                    name = s(1).subs;
                    if isequal(name, 'Properties')
                        r = part_of_properties(t);
                    else
                        r = part_by_part(@(x) x.(name), t);
                        r.Node.Variable = name;
                    end
            end
            if numel(s) > 1
                r = subsref(r, s(2:end));
            end
            varargout = {r};
        end

        function t = subsasgn(t, s, value)
            % t.Variable = tall column; t(mask) = value, t(mask, :) = [].
            name = s(1).subs;
            if numel(s) > 1
                error('MATLAB:bigdata:array:SubsasgnNotSupported', ...
                    'Of a tall array whole variables, t.Name = value, or elements, t(mask) = value, are assigned.');
            elseif strcmp(s(1).type, '.')
                t = part_by_part(@(x, v) with_variable(x, name, v), t, value);
            elseif strcmp(s(1).type, '()') && isa(name{1}, 'tall')
                rest = name(2:end);
                if isnumeric(value) && isequal(size(value), [0 0])
                    t = part_by_part(@(x, m) x(~m, :), t, name{1});
                else
                    t = part_by_part(@(x, m, v) with_elements(x, m, rest, v), t, name{1}, value);
                end
            elseif strcmp(s(1).type, '()') && numel(name) > 1 && isequal(name{1}, ':')
                rest = name(2:end);
                t = part_by_part(@(x, v) with_elements(x, ':', rest, v), t, value);
            else
                error('MATLAB:bigdata:array:SubsasgnNotSupported', ...
                    'Elements of a tall array are assigned by a tall logical of its height or by :.');
            end
        end

        function r = rmmissing(t), r = part_by_part(@rmmissing, t); end

        % --- over all rows ---

        function r = sum(t, varargin), r = over(t, varargin, @sum, @(a, b) a + b, @sum); end
        function r = prod(t, varargin), r = over(t, varargin, @prod, @(a, b) a.*b, @prod); end
        function r = any(t, varargin), r = over(t, varargin, @any, @(a, b) a | b, @any); end
        function r = all(t, varargin), r = over(t, varargin, @all, @(a, b) a & b, @all); end
        function r = nnz(t), r = over(t, {}, @nnz, @(a, b) a + b, @nnz); end
        function r = numel(t), r = over(t, {}, @numel, @(a, b) a + b, @numel); end
        function r = height(t), r = over(t, {}, @(x) size(x, 1), @(a, b) a + b, @height); end
        function r = length(t), r = height(t); end

        function r = size(t, dim)
            % [rows, columns] or one of them, tall as well.
            r = over(t, {}, @(x) [size(x, 1), size(x, 2)], @(a, b) [a(1) + b(1), max(a(2), b(2))], @size);
            if nargin > 1
                r = part_by_part(@(v) v(dim), r);
            end
        end

        function r = max(t, varargin)
            % max(t), max(t, [], 1), max(a, b).
            r = extreme(@max, t, varargin);
        end

        function r = min(t, varargin)
            % min(t), min(t, [], 1), min(a, b).
            r = extreme(@min, t, varargin);
        end

        function r = range(t), r = max(t) - min(t); end

        function [low, high] = bounds(t)
            % Smallest and largest.
            low = min(t);
            high = max(t);
        end

        function r = mean(t, varargin)
            % Of all rows; mean(t, 2) within rows; 'omitnan'.
            if within_rows(varargin)
                r = part_by_part(@mean, t, varargin{:});
            elseif omits_missing(varargin)
                r = sum(t, 'omitnan')./sum(~isnan(t));
            else
                r = sum(double(t))./height(t);
            end
        end

        function r = var(t, varargin)
            % Of all rows; weight 0 or 1; 'omitnan'.
            w = weight_of(varargin);
            r = moments(t, varargin, @(n, squares) squares./max(n - (1 - w), (n == 1) + 0));
        end

        function r = std(t, varargin)
            % Of all rows; weight 0 or 1; 'omitnan'.
            r = part_by_part(@sqrt, var(t, varargin{:}));
        end

        function [r, edges] = histcounts(t, varargin)
            % Counts between edges; those that are not given follow from limits and spread of all rows,
            % which are read for that at once.
            [edges, normalization] = edges_of(t, varargin);
            counted = over(t, {}, @(x) [histcounts(x, edges), numel(x)], @plus, @histcounts);
            r = part_by_part(@(n) normalised(n(1:end-1), n(end), edges, normalization), counted);
        end

        function h = histogram(t, varargin)
            % A histogram of counts over all rows.
            % Its face is set by properties of what it gives.
            [counts, edges] = histcounts(t, varargin{:});
            h = histogram('BinEdges', edges, 'BinCounts', gather(counts));
        end

        function r = unique(t)
            % The different values, or rows of a table.
            r = over(t, {}, @unique, @(a, b) unique([a; b]), @unique);
        end

        function r = head(t, k)
            % The first k rows, 8 unless told.
            if nargin < 2, k = 8; end
            r = over(t, {}, @(x) x(1:min(k, end), :), @(a, b) first_rows([a; b], k), @head);
        end

        function r = tail(t, k)
            % The last k rows, 8 unless told.
            if nargin < 2, k = 8; end
            r = over(t, {}, @(x) last_rows(x, k), @(a, b) last_rows([a; b], k), @tail);
        end

        function r = topkrows(t, k, varargin)
            % The first k rows in sorted order.
            r = over(t, {}, @(x) topkrows(x, min(k, size(x, 1)), varargin{:}), ...
                @(a, b) topkrows([a; b], min(k, size(a, 1) + size(b, 1)), varargin{:}), @topkrows);
        end

        function r = median(t, varargin), r = of_everything(@median, t, varargin); end
        function r = quantile(t, varargin), r = of_everything(@quantile, t, varargin); end
        function r = prctile(t, varargin), r = of_everything(@prctile, t, varargin); end
        function r = sort(t, varargin), r = of_everything(@sort, t, varargin); end
        function r = sortrows(t, varargin), r = of_everything(@sortrows, t, varargin); end
        function r = mode(t, varargin), r = of_everything(@mode, t, varargin); end
        function r = cumsum(t, varargin), r = of_everything(@cumsum, t, varargin); end
        function r = groupsummary(t, varargin), r = of_everything(@groupsummary, t, varargin); end

        function write(location, t)
            % The rows as text files in a folder.
            if isa(location, 'tall')
                error('MATLAB:bigdata:array:WriteLocation', 'write takes a folder and a tall table.');
            end
            if ~isfolder(location), mkdir(location); end
            writetable(gather(t), fullfile(location, 'part_1.csv'));
        end

        % --- part by part ---

        function r = plus(a, b), r = part_by_part(@plus, a, b); end
        function r = minus(a, b), r = part_by_part(@minus, a, b); end
        function r = times(a, b), r = part_by_part(@times, a, b); end
        function r = rdivide(a, b), r = part_by_part(@rdivide, a, b); end
        function r = ldivide(a, b), r = part_by_part(@ldivide, a, b); end
        function r = power(a, b), r = part_by_part(@power, a, b); end
        function r = eq(a, b), r = part_by_part(@eq, a, b); end
        function r = ne(a, b), r = part_by_part(@ne, a, b); end
        function r = lt(a, b), r = part_by_part(@lt, a, b); end
        function r = le(a, b), r = part_by_part(@le, a, b); end
        function r = gt(a, b), r = part_by_part(@gt, a, b); end
        function r = ge(a, b), r = part_by_part(@ge, a, b); end
        function r = and(a, b), r = part_by_part(@and, a, b); end
        function r = or(a, b), r = part_by_part(@or, a, b); end
        function r = xor(a, b), r = part_by_part(@xor, a, b); end
        function r = atan2(a, b), r = part_by_part(@atan2, a, b); end
        function r = mod(a, b), r = part_by_part(@mod, a, b); end
        function r = rem(a, b), r = part_by_part(@rem, a, b); end
        function r = hypot(a, b), r = part_by_part(@hypot, a, b); end
        function r = uminus(a, varargin), r = part_by_part(@uminus, a, varargin{:}); end
        function r = uplus(a, varargin), r = part_by_part(@uplus, a, varargin{:}); end
        function r = not(a, varargin), r = part_by_part(@not, a, varargin{:}); end
        function r = abs(a, varargin), r = part_by_part(@abs, a, varargin{:}); end
        function r = sign(a, varargin), r = part_by_part(@sign, a, varargin{:}); end
        function r = sqrt(a, varargin), r = part_by_part(@sqrt, a, varargin{:}); end
        function r = exp(a, varargin), r = part_by_part(@exp, a, varargin{:}); end
        function r = log(a, varargin), r = part_by_part(@log, a, varargin{:}); end
        function r = log2(a, varargin), r = part_by_part(@log2, a, varargin{:}); end
        function r = log10(a, varargin), r = part_by_part(@log10, a, varargin{:}); end
        function r = log1p(a, varargin), r = part_by_part(@log1p, a, varargin{:}); end
        function r = expm1(a, varargin), r = part_by_part(@expm1, a, varargin{:}); end
        function r = sin(a, varargin), r = part_by_part(@sin, a, varargin{:}); end
        function r = cos(a, varargin), r = part_by_part(@cos, a, varargin{:}); end
        function r = tan(a, varargin), r = part_by_part(@tan, a, varargin{:}); end
        function r = asin(a, varargin), r = part_by_part(@asin, a, varargin{:}); end
        function r = acos(a, varargin), r = part_by_part(@acos, a, varargin{:}); end
        function r = atan(a, varargin), r = part_by_part(@atan, a, varargin{:}); end
        function r = sinh(a, varargin), r = part_by_part(@sinh, a, varargin{:}); end
        function r = cosh(a, varargin), r = part_by_part(@cosh, a, varargin{:}); end
        function r = tanh(a, varargin), r = part_by_part(@tanh, a, varargin{:}); end
        function r = floor(a, varargin), r = part_by_part(@floor, a, varargin{:}); end
        function r = ceil(a, varargin), r = part_by_part(@ceil, a, varargin{:}); end
        function r = round(a, varargin), r = part_by_part(@round, a, varargin{:}); end
        function r = fix(a, varargin), r = part_by_part(@fix, a, varargin{:}); end
        function r = isnan(a, varargin), r = part_by_part(@isnan, a, varargin{:}); end
        function r = isinf(a, varargin), r = part_by_part(@isinf, a, varargin{:}); end
        function r = isfinite(a, varargin), r = part_by_part(@isfinite, a, varargin{:}); end
        function r = ismissing(a, varargin), r = part_by_part(@ismissing, a, varargin{:}); end
        function r = isundefined(a, varargin), r = part_by_part(@isundefined, a, varargin{:}); end
        function r = real(a, varargin), r = part_by_part(@real, a, varargin{:}); end
        function r = imag(a, varargin), r = part_by_part(@imag, a, varargin{:}); end
        function r = conj(a, varargin), r = part_by_part(@conj, a, varargin{:}); end
        function r = double(a, varargin), r = part_by_part(@double, a, varargin{:}); end
        function r = single(a, varargin), r = part_by_part(@single, a, varargin{:}); end
        function r = logical(a, varargin), r = part_by_part(@logical, a, varargin{:}); end
        function r = string(a, varargin), r = part_by_part(@string, a, varargin{:}); end
        function r = upper(a, varargin), r = part_by_part(@upper, a, varargin{:}); end
        function r = lower(a, varargin), r = part_by_part(@lower, a, varargin{:}); end
        function r = strlength(a, varargin), r = part_by_part(@strlength, a, varargin{:}); end
        function r = year(a, varargin), r = part_by_part(@year, a, varargin{:}); end
        function r = month(a, varargin), r = part_by_part(@month, a, varargin{:}); end
        function r = day(a, varargin), r = part_by_part(@day, a, varargin{:}); end
        function r = hour(a, varargin), r = part_by_part(@hour, a, varargin{:}); end
        function r = minute(a, varargin), r = part_by_part(@minute, a, varargin{:}); end
        function r = second(a, varargin), r = part_by_part(@second, a, varargin{:}); end
        function r = strcmp(varargin), r = part_by_part(@strcmp, varargin{:}); end
        function r = strcmpi(varargin), r = part_by_part(@strcmpi, varargin{:}); end
        function r = strncmp(varargin), r = part_by_part(@strncmp, varargin{:}); end
        function r = contains(varargin), r = part_by_part(@contains, varargin{:}); end
        function r = startsWith(varargin), r = part_by_part(@startsWith, varargin{:}); end
        function r = endsWith(varargin), r = part_by_part(@endsWith, varargin{:}); end
        function r = strrep(varargin), r = part_by_part(@strrep, varargin{:}); end
        function r = ismember(varargin), r = part_by_part(@ismember, varargin{:}); end
        function r = discretize(varargin), r = part_by_part(@discretize, varargin{:}); end
        function r = fillmissing(varargin), r = part_by_part(@fillmissing, varargin{:}); end
        function r = isbetween(varargin), r = part_by_part(@isbetween, varargin{:}); end
        function r = categorical(varargin), r = part_by_part(@categorical, varargin{:}); end
        function r = horzcat(varargin), r = part_by_part(@horzcat, varargin{:}); end
        function r = table(varargin), r = part_by_part(@table, varargin{:}); end
        function r = transpose(~), r = not_across(); end
        function r = ctranspose(~), r = not_across(); end
        function r = mtimes(a, b), r = part_by_part(@scaled, a, b); end
        function r = mrdivide(a, b), r = part_by_part(@rdivide, a, b); end

        function r = cellfun(fcn, varargin), r = part_by_part(@(varargin) cellfun(fcn, varargin{:}), varargin{:}); end
        function r = arrayfun(fcn, varargin), r = part_by_part(@(varargin) arrayfun(fcn, varargin{:}), varargin{:}); end
    end
end

% --- steps ---

function node = node_of(v)
% The step of a tall array; another value is a step, too.
if isa(v, 'tall')
    node = v.Node;
else
    node = parallel.internal.TallNode('value');
    node.Value = v;
end
end

function r = part_by_part(fcn, varargin)
% A function of the parts of tall arrays, and of values.
node = parallel.internal.TallNode('map');
node.Fcn = fcn;
node.Args = cellfun(@node_of, varargin, 'UniformOutput', false);
r = tall(node);
end

function r = over_all(args, step, final)
% A result over all parts: state = step(state, part, ...).
node = parallel.internal.TallNode('over');
node.Args = cellfun(@node_of, args, 'UniformOutput', false);
node.Step = step;
node.Final = final;
r = tall(node);
end

function r = over(t, options, of_part, join, plain)
% Results of parts that are joined two by two; within rows for dimension 2.
if within_rows(options)
    r = part_by_part(plain, t, options{:});
    return
end
if isequal(of_part, plain) && ~isempty(options)
    whole = any(cellfun(@(v) (ischar(v) || isstring(v)) && strcmp(v, 'all'), options));
    flags = options(cellfun(@(v) (ischar(v) || isstring(v)) && ~strcmp(v, 'all'), options));
    if whole
        of_part = @(x) plain(x(:), flags{:});
    else
        of_part = @(x) plain(x, 1, flags{:});
    end
elseif isequal(of_part, plain) && ~any(strcmp(func2str(plain), {'nnz', 'numel', 'unique'}))
    of_part = @(x) plain(x, 1);
end
    function state = step(state, part)
        made = of_part(part);
        if isempty(state)
            state = {made};
        else
            state = {join(state{1}, made)};
        end
    end
r = over_all({t}, @step, @(state) state{1});
end

function tf = within_rows(options)
% Whether the dimension is another one than that of the rows.
k = find(cellfun(@(v) isnumeric(v) && isscalar(v), options), 1, 'last');
tf = ~isempty(k) && options{k} > 1;
end

function r = extreme(fcn, t, options)
% Smallest or largest of all rows, within rows, or of pairs.
if ~isempty(options) && ~isempty(options{1})
    r = part_by_part(fcn, t, options{:});
elseif numel(options) > 1 && isnumeric(options{2}) && options{2} > 1
    r = part_by_part(fcn, t, options{:});
else
    flags = options(2:end);
    if isempty(flags), flags = {1}; end
    r = over(t, {}, @(x) fcn(x, [], flags{:}), @(a, b) fcn(a, b), fcn);
end
end

function [edges, normalization] = edges_of(t, args)
% Edges of bins as histcounts chooses them for all rows together, and how counts are normalised.
[given, normalization, bins] = deal({}, 'count', []);
if ~isempty(args) && isnumeric(args{1})
    [bins, args] = deal(args{1}, args(2:end));
end
[limited, width] = deal([], []);
for k = 1:2:numel(args)
    switch lower(char(args{k}))
        case 'normalization', normalization = lower(char(args{k + 1}));
        case 'binedges', bins = args{k + 1};
        case 'numbins', bins = args{k + 1};
        case 'binwidth', width = args{k + 1};
        case 'binlimits', limited = args{k + 1};
        case 'binmethod'
            if ~any(strcmpi(args{k + 1}, {'auto', 'scott'}))
                error('MATLAB:bigdata:array:HistcountsMethod', ...
                    'Bins of a tall array are chosen by ''auto'' or ''scott'', or given by edges or number.');
            end
        otherwise
            error('MATLAB:bigdata:array:HistcountsOption', ...
                'histcounts of a tall array has no option ''%s''.', char(args{k}));
    end
end
if numel(bins) > 1
    edges = bins;
    return
end
[low, high, spread, rows] = gather(min(t), max(t), std(t, 'omitnan'), sum(~isnan(t)));
if ~isempty(width), given = {'BinWidth', width}; end
if ~isempty(limited)
    if isempty(bins) && isempty(width)
        error('MATLAB:bigdata:array:HistcountsLimits', ...
            'With ''BinLimits'', bins of a tall array are given by their number or width.');
    end
    given = [given, {'BinLimits', limited}];
    [low, high] = deal(limited(1), limited(2));
end
if ~isempty(bins)
    [~, edges] = histcounts([low; high], bins, given{:});
elseif isempty(width) && high > low && spread > 0
    [~, edges] = histcounts([low; high], 'BinWidth', round_width(3.5*spread/rows^(1/3)), given{:});
else
    [~, edges] = histcounts([low; high], given{:});
end
end

function width = round_width(raw)
% The width of bins nearest to a raw one that is 1, 2, 3 or 5 times a power of ten.
power = 10^floor(log10(raw));
steps = [1, 2, 3, 5, 10];
width = power*steps(find(raw/power < [1.5, 2.5, 4, 7.5, Inf], 1));
end

function n = normalised(n, rows, edges, how)
% Counts of so many rows as histcounts gives them with a 'Normalization'.
switch how
    case 'count'
    case 'countdensity', n = n./diff(edges);
    case 'cumcount', n = cumsum(n);
    case 'probability', n = n/rows;
    case 'percentage', n = 100*n/rows;
    case 'pdf', n = n/rows./diff(edges);
    case 'cdf', n = cumsum(n/rows);
    otherwise
        error('MATLAB:histcounts:BadNormalization', 'There is no normalization ''%s''.', how);
end
end

function tf = omits_missing(options)
% Whether NaN are left out.
tf = any(cellfun(@(v) (ischar(v) || isstring(v)) && any(strcmpi(v, {'omitnan', 'omitmissing'})), options));
end

function r = moments(t, options, final)
% final(count, sum of squares around the mean), joined part by part (Chan, Golub and LeVeque).
omit = omits_missing(options);
    function state = step(state, x)
        x = double(x);
        if omit
            there = ~isnan(x);
            x(~there) = 0;
            count = sum(there, 1);
            mid = sum(x, 1)./max(count, 1);
            squares = sum(((x - mid).*there).^2, 1);
        else
            count = size(x, 1);
            mid = sum(x, 1)./max(count, 1);
            squares = sum((x - mid).^2, 1);
        end
        if ~isempty(state)
            [before, mean_before, squares_before] = state{:};
            d = mid - mean_before;
            share = count./max(before + count, 1);
            squares = squares_before + squares + d.^2.*before.*share;
            mid = mean_before + d.*share;
            count = before + count;
        end
        state = {count, mid, squares};
    end
    function v = result(state)
        [count, ~, squares] = state{:};
        squares(count + 0*squares == 0) = NaN;
        v = final(count, squares);
    end
r = over_all({t}, @step, @result);
end

function w = weight_of(options)
% The weight of var and std.
w = 0;
if ~isempty(options) && isnumeric(options{1}) && isscalar(options{1})
    w = options{1};
end
end

function r = of_everything(fcn, t, options)
% What needs all rows at once: they are gathered in memory.
r = over_all({t}, @(state, x) [state, {x}], @(state) fcn(vertcat(state{:}), options{:}));
r.Node.Keeps = true;
end

function r = not_across() %#ok<STOUT>
% The rows of a tall array stay rows.
error('MATLAB:bigdata:array:TransposeNotSupported', ...
    'A tall array cannot be transposed; gather it first.');
end

function v = scaled(a, b)
% A product with a number; products of matrices over all rows are not.
if ~isscalar(a) && ~isscalar(b) && size(b, 1) ~= size(a, 2)
    error('MATLAB:bigdata:array:MtimesBothTall', 'Sizes of a product of tall arrays do not agree.');
end
v = a*b;
end

function r = taken(t, subs)
% Rows by a tall mask, columns by numbers or names.
rest = subs(2:end);
if isa(subs{1}, 'tall')
    if isempty(rest)
        r = part_by_part(@(x, m) x(m), t, subs{1});
    else
        r = part_by_part(@(x, m) x(m, rest{:}), t, subs{1});
    end
elseif ischar(subs{1}) && strcmp(subs{1}, ':')
    r = part_by_part(@(x) x(:, rest{:}), t);
elseif isnumeric(subs{1}) && isequal(subs{1}(:)', 1:numel(subs{1}))
    r = head(t, numel(subs{1}));
    if ~isempty(rest)
        r = part_by_part(@(x) x(:, rest{:}), r);
    end
else
    error('MATLAB:bigdata:array:IndexingNotSupported', ...
        'Rows of a tall array are chosen by a tall logical of its height, by : or by 1:n.');
end
end

function x = with_variable(x, name, v)
% A part of a table with another variable.
x.(name) = v;
end

function x = with_elements(x, rows, rest, v)
% A part with other elements.
x(rows, rest{:}) = v;
end

function x = first_rows(x, k)
x = x(1:min(k, size(x, 1)), :);
end

function x = last_rows(x, k)
x = x(max(1, size(x, 1) - k + 1):end, :);
end

function p = part_of_properties(t)
% Properties of the table, from its first rows.
p = gather(head(t, 1));
p = p.Properties;
end

% --- evaluation ---

function results = evaluated(roots)
% The values of steps: as many readings of the data as results build on results over all.
[nodes, level] = listed(roots);
values = cell(1, numel(nodes));
known = false(1, numel(nodes));
for k = 1:numel(nodes)
    if strcmp(nodes{k}.Kind, 'value')
        values{k} = nodes{k}.Value;
        known(k) = true;
    end
end
at = cellfun(@(n) n.At, roots);
results = cell(1, numel(roots));
for pass = 0:max([level(at), 0])
    [values, known] = single_results(nodes, values, known);
    wanted = false(1, numel(nodes));
    for k = 1:numel(nodes)
        wanted(k) = strcmp(nodes{k}.Kind, 'over') && level(k) == pass + 1 && ~known(k);
    end
    collected = at(level(at) <= pass & ~known(at) & cellfun(@isempty, results));
    collected = collected(:)';
    if ~any(wanted) && isempty(collected)
        continue
    end
    [states, parts] = read_all(nodes, values, known, wanted, collected);
    for k = find(wanted)
        values{k} = nodes{k}.Final(states{k});
        known(k) = true;
    end
    for k = 1:numel(collected)
        results{find(at == collected(k), 1)} = {vertcat(parts{k}{:})};
    end
end
[values, known] = single_results(nodes, values, known);
for k = 1:numel(roots)
    if known(at(k))
        results{k} = values{at(k)};
    else
        results{k} = results{find(at == at(k), 1)};
        if iscell(results{k}) && isscalar(results{k})
            results{k} = results{k}{1};
        end
    end
end
end

function [nodes, level] = listed(roots)
% All steps, arguments first, and after how many readings each can be computed.
nodes = {};
level = [];
    function visit(node)
        if node.At > 0 && node.At <= numel(nodes) && nodes{node.At} == node
            return
        end
        for a = 1:numel(node.Args)
            visit(node.Args{a});
        end
        deepest = 0;
        for a = 1:numel(node.Args)
            deepest = max(deepest, level(node.Args{a}.At));
        end
        nodes{end + 1} = node;
        level(end + 1) = deepest + strcmp(node.Kind, 'over');
        node.At = numel(nodes);
    end
for r = 1:numel(roots)
    visit(roots{r});
end
end

function [values, known] = single_results(nodes, values, known)
% Steps whose arguments are all known need no data.
for k = 1:numel(nodes)
    node = nodes{k};
    if ~known(k) && ~isempty(node.Args) && all(cellfun(@(a) known(a.At), node.Args))
        given = cellfun(@(a) values{a.At}, node.Args, 'UniformOutput', false);
        if strcmp(node.Kind, 'over')
            values{k} = node.Final(node.Step([], given{:}));
        else
            values{k} = node.Fcn(given{:});
        end
        known(k) = true;
    end
end
end

function [states, parts] = read_all(nodes, values, known, wanted, collected)
% Read the data once: states of the results over all, parts of what is collected.
needed = wanted;
needed(collected) = true;
for k = numel(nodes):-1:1
    if needed(k) && ~known(k)
        for a = 1:numel(nodes{k}.Args)
            needed(nodes{k}.Args{a}.At) = true;
        end
    end
end
sources = find(cellfun(@(n) strcmp(n.Kind, 'source'), nodes) & needed);
stores = cellfun(@(n) isobject(n.Value) && ~istabular(n.Value), nodes(sources));
if numel(sources) > 1 && any(stores)
    error('MATLAB:bigdata:array:IncompatibleTallStrictSize', ...
        'Tall arrays that are computed with together must come from one call of tall.');
end
readers = cellfun(@(n) reader_of(n.Value, variables_of(n, nodes(needed))), nodes(sources), ...
    'UniformOutput', false);
states = cell(1, numel(nodes));
parts = repmat({{}}, 1, numel(collected));
steps = find(needed & ~known);
joined = find(wanted & ~cellfun(@(n) n.Keeps, nodes));
first = true;
while first || all(cellfun(@(r) r.more(), readers))
    first = false;
    for s = 1:numel(sources)
        values{sources(s)} = readers{s}.next();
    end
    for k = steps
        node = nodes{k};
        if strcmp(node.Kind, 'source')
            continue
        end
        given = cell(1, numel(node.Args));
        for a = 1:numel(given)
            given{a} = values{node.Args{a}.At};
        end
        if strcmp(node.Kind, 'map')
            values{k} = node.Fcn(given{:});
        elseif wanted(k)
            states{k} = node.Step(states{k}, given{:});
        end
    end
    for c = 1:numel(collected)
        parts{c}{end + 1} = gather(values{collected(c)});
    end
    states(joined) = computed(states(joined));
end
end

function states = computed(states)
% States of results over all, computed now and together, so that no part is held for later.
flat = [states{:}];
if ~isempty(flat)
    [flat{:}] = gather(flat{:});
    states = mat2cell(flat, 1, cellfun(@numel, states));
end
end

function names = variables_of(source, nodes)
% The variables of a table that are used of it; {} where it is used as a whole.
users = nodes(cellfun(@(n) any(cellfun(@(a) a == source, n.Args)), nodes));
names = cellfun(@(n) n.Variable, users, 'UniformOutput', false);
if any(cellfun(@isempty, names)), names = {}; end
names = unique(names, 'stable');
end

function reader = reader_of(data, names)
% next() gives the next part, more() whether there is one; of tables the variables of these names.
if isobject(data) && ~istabular(data) && ismethod(data, 'hasdata')
    if ismethod(data, 'readahead')
        data = copy(data);
        if ~isempty(names) && all(ismember(names, data.SelectedVariableNames))
            data.SelectedVariableNames = names;
        end
        readahead(data);
    else
        reset(data);
    end
    reader.more = @() hasdata(data);
    reader.next = @() one_part(data);
else
    left = true;
    reader.more = @is_left;
    reader.next = @whole;
end
    function tf = is_left()
        tf = left;
    end

    function part = whole()
        part = data;
        left = false;
    end
end

function part = one_part(data)
% What a datastore reads next; nothing where it is empty.
if hasdata(data)
    part = read(data);
else
    part = preview(data);
    part = part([], :);
end
if iscell(part) && isa(data, 'arrayDatastore')
    part = vertcat(part{:});
elseif ~istabular(part) && isa(data, 'fileDatastore') && ~data.UniformRead
    part = {part};
end
end
