classdef OptimizationExpression < handle
    % Numbers computed from optimization variables: what arithmetic with those of optimvar makes. evaluate(expr, values) are its numbers for a struct of values.
    properties (SetAccess = protected, Hidden)
        Value = @(v) zeros(0, 1); % the numbers for a struct of values
        Degree = 0; % of the polynomial, Inf for what is none
        Extent = [0 1];
        Owners = struct(); % the variables by their names
    end

    methods
        function e = OptimizationExpression(value, degree, owners)
            % OptimizationExpression(value, degree, owners): made by operators.
            if nargin == 0, return, end
            [e.Value, e.Degree, e.Owners] = deal(value, degree, owners);
            e.Extent = size(value(ones_(owners)));
        end

        function v = evaluate(e, values)
            % The numbers for a struct of values of the variables.
            v = e.Value(values);
        end

        function show(e)
            % What the numbers are computed from, in words of the variables.
            lines = textOf(e);
            for k = 1:numel(lines)
                if ~isscalar(lines)
                    at = cell(1, numel(e.Extent));
                    [at{:}] = ind2sub(e.Extent, k);
                    fprintf('(%s)\n', strjoin(cellfun(@num2str, at, 'UniformOutput', false), ', '));
                end
                fprintf('\n    %s\n\n', lines{k});
            end
        end

        function varargout = size(e, varargin)
            % The size of the numbers.
            [varargout{1:max(nargout, 1)}] = size(zeros(e.Extent), varargin{:});
        end

        function n = numel(e, varargin)
            % How many numbers there are.
            n = 1;
            if isempty(varargin), n = prod(e.Extent); end
        end

        function n = length(e)
            % The longest side.
            n = max([0 e.Extent(all(e.Extent))]);
        end

        function n = end(e, k, count)
            % The last place.
            if count == 1, n = prod(e.Extent); else, n = prod(e.Extent(k:max(k, (k == count)*numel(e.Extent)))); end
        end

        function e = plus(a, b), e = joined(@plus, a, b, max(degreeOf(a), degreeOf(b))); end
        function e = minus(a, b), e = joined(@minus, a, b, max(degreeOf(a), degreeOf(b))); end
        function e = times(a, b), e = joined(@times, a, b, degreeOf(a) + degreeOf(b)); end
        function e = mtimes(a, b), e = joined(@mtimes, a, b, degreeOf(a) + degreeOf(b)); end
        function e = rdivide(a, b), e = joined(@rdivide, a, b, divided(degreeOf(a), degreeOf(b))); end
        function e = mrdivide(a, b), e = joined(@mrdivide, a, b, divided(degreeOf(a), degreeOf(b))); end
        function e = power(a, b), e = joined(@power, a, b, raised(a, b)); end
        function e = mpower(a, b), e = joined(@mpower, a, b, raised(a, b)); end
        function e = dot(a, b), e = joined(@(x, y) dot(x(:), y(:)), a, b, degreeOf(a) + degreeOf(b)); end
        function e = uminus(a), e = mapped(@uminus, a, a.Degree); end
        function e = uplus(a), e = a; end
        function e = transpose(a), e = mapped(@transpose, a, a.Degree); end
        function e = ctranspose(a), e = mapped(@transpose, a, a.Degree); end
        function e = sum(a, varargin), e = mapped(@(x) sum(x, varargin{:}), a, a.Degree); end
        function e = cumsum(a, varargin), e = mapped(@(x) cumsum(x, varargin{:}), a, a.Degree); end
        function e = mean(a, varargin), e = mapped(@(x) mean(x, varargin{:}), a, a.Degree); end
        function e = diff(a, varargin), e = mapped(@(x) diff(x, varargin{:}), a, a.Degree); end
        function e = reshape(a, varargin), e = mapped(@(x) reshape(x, varargin{:}), a, a.Degree); end
        function e = prod(a, varargin), e = mapped(@(x) prod(x, varargin{:}), a, Inf); end
        function e = sqrt(a), e = mapped(@sqrt, a, Inf); end
        function e = exp(a), e = mapped(@exp, a, Inf); end
        function e = log(a), e = mapped(@log, a, Inf); end
        function e = sin(a), e = mapped(@sin, a, Inf); end
        function e = cos(a), e = mapped(@cos, a, Inf); end
        function e = tan(a), e = mapped(@tan, a, Inf); end
        function e = asin(a), e = mapped(@asin, a, Inf); end
        function e = acos(a), e = mapped(@acos, a, Inf); end
        function e = atan(a), e = mapped(@atan, a, Inf); end
        function e = sinh(a), e = mapped(@sinh, a, Inf); end
        function e = cosh(a), e = mapped(@cosh, a, Inf); end
        function e = tanh(a), e = mapped(@tanh, a, Inf); end
        function e = abs(a), e = mapped(@abs, a, Inf); end
        function e = norm(a, varargin), e = mapped(@(x) norm(x, varargin{:}), a, Inf); end
        function e = horzcat(varargin), e = gathered(@horzcat, varargin); end
        function e = vertcat(varargin), e = gathered(@vertcat, varargin); end
        function c = le(a, b), c = OptimizationConstraint(a - b, '<='); end
        function c = ge(a, b), c = OptimizationConstraint(b - a, '<='); end
        function c = eq(a, b), c = OptimizationConstraint(a - b, '=='); end

        function varargout = subsref(e, steps)
            % e(places) are some of the numbers; e.Name a property.
            if strcmp(steps(1).type, '()')
                places = placesOf(e, steps(1).subs);
                made = mapped(@(x) x(places{:}), e, e.Degree);
                if numel(steps) > 1, [varargout{1:nargout}] = subsref(made, steps(2:end)); else, varargout = {made}; end
            else
                [varargout{1:max(nargout, 1)}] = builtin('subsref', e, steps);
            end
        end

        function e = subsasgn(e, steps, value)
            % e(places) = expression; e.Name = value.
            if strcmp(steps(1).type, '()')
                if isa(e, 'OptimizationExpression'), places = placesOf(e, steps(1).subs); else, places = steps(1).subs; end
                e = joined(@(x, y) assigned(x, places, y), e, value, max(degreeOf(e), degreeOf(value)));
            else
                e = builtin('subsasgn', e, steps, value);
            end
        end
    end

    methods (Hidden)
        function [lines, ends] = textOf(e)
            % One text for each of the numbers; with two outputs constants stand apart, as those on the right of a relation.
            [names, starts, n] = layout(e);
            at = @(x) reshape(e.Value(unflattened_(e.Owners, names, starts, x)), [], 1);
            constant = at(zeros(n, 1));
            ends = -constant;
            if e.Degree > 2
                lines = repmat({sprintf('nonlinear expression of %s', strjoin(names', ', '))}, numel(constant), 1);
                ends = zeros(numel(constant), 1);
                return
            end
            labels = labelsOf(e.Owners, names);
            unit = eye(n);
            [ahead, behind] = deal(zeros(numel(constant), n));
            for k = 1:n, [ahead(:, k), behind(:, k)] = deal(at(unit(:, k)) - constant, at(-unit(:, k)) - constant); end
            [terms, factors] = deal({}, zeros(numel(constant), 0));
            for i = 1:n*(e.Degree == 2)
                [terms{end + 1}, factors(:, end + 1)] = deal([labels{i} '^2'], (ahead(:, i) + behind(:, i))/2); %#ok<AGROW>
                for j = i + 1:n
                    [terms{end + 1}, factors(:, end + 1)] = deal([labels{i} '*' labels{j}], at(unit(:, i) + unit(:, j)) - constant - ahead(:, i) - ahead(:, j)); %#ok<AGROW>
                end
            end
            terms = [terms, labels];
            factors = [factors, (ahead - behind)/2];
            if nargout < 2, [terms, factors] = deal([terms, {''}], [factors, constant]); end
            lines = arrayfun(@(k) summed(terms, factors(k, :)), (1:numel(constant))', 'UniformOutput', false);
        end

        function places = placesOf(~, places)
        end

        function [names, starts, count] = layout(e)
            % The variables, where the numbers of each begin in one column, and how many there are.
            names = fieldnames(e.Owners);
            sizes = cellfun(@(n) prod(e.Owners.(n).Extent), names);
            starts = [0; cumsum(sizes(:))];
            count = starts(end);
        end
    end
end

function text = summed(terms, factors)
text = '';
for k = find(abs(factors) > 1e-12*max(abs(factors)))
    part = sprintf('%.15g', abs(factors(k)));
    if ~isempty(terms{k})
        if abs(factors(k)) == 1, part = terms{k}; else, part = [part '*' terms{k}]; end %#ok<AGROW>
    end
    sign = ' + ';
    if factors(k) < 0, sign = ' - '; end
    if isempty(text), sign = strrep(strtrim(sign), '+', ''); end
    text = [text sign part]; %#ok<AGROW>
end
if isempty(text), text = '0'; end
end

function labels = labelsOf(owners, names)
labels = {};
for k = 1:numel(names)
    extent = owners.(names{k}).Extent;
    count = prod(extent);
    for j = 1:count
        label = names{k};
        if count > 1 && any(extent == 1) && numel(extent) == 2
            label = sprintf('%s(%d)', label, j);
        elseif count > 1
            at = cell(1, numel(extent));
            [at{:}] = ind2sub(extent, j);
            label = sprintf('%s(%s)', label, strjoin(cellfun(@num2str, at, 'UniformOutput', false), ', '));
        end
        labels{end + 1} = label; %#ok<AGROW>
    end
end
end

function v = unflattened_(owners, names, starts, x)
v = struct();
for k = 1:numel(names), v.(names{k}) = reshape(x(starts(k) + 1:starts(k + 1)), owners.(names{k}).Extent); end
end

function x = assigned(x, places, y)
x(places{:}) = y;
end

function d = degreeOf(a)
d = 0;
if isa(a, 'OptimizationExpression'), d = a.Degree; end
end

function d = divided(a, b)
d = Inf;
if b == 0, d = a; end
end

function d = raised(a, b)
d = Inf;
if isnumeric(b) && isscalar(b) && b >= 0 && b == fix(b), d = degreeOf(a)*b; end
if d > 2, d = Inf; end
end

function e = mapped(f, a, degree)
value = a.Value;
e = OptimizationExpression(@(v) f(value(v)), degree, a.Owners);
end

function e = joined(f, a, b, degree)
if degree > 2, degree = Inf; end
if ~isa(a, 'OptimizationExpression')
    right = b.Value;
    e = OptimizationExpression(@(v) f(a, right(v)), degree, b.Owners);
elseif ~isa(b, 'OptimizationExpression')
    left = a.Value;
    e = OptimizationExpression(@(v) f(left(v), b), degree, a.Owners);
else
    [left, right] = deal(a.Value, b.Value);
    e = OptimizationExpression(@(v) f(left(v), right(v)), degree, allOf({a, b}));
end
end

function e = gathered(f, parts)
values = cell(size(parts));
for k = 1:numel(parts)
    if isa(parts{k}, 'OptimizationExpression'), values{k} = parts{k}.Value; else, part = parts{k}; values{k} = @(v) part; end
end
e = OptimizationExpression(@(v) joinedValues(f, values, v), max(cellfun(@degreeOf, parts)), allOf(parts));
end

function x = joinedValues(f, values, v)
parts = cellfun(@(g) g(v), values, 'UniformOutput', false);
x = f(parts{:});
end

function owners = allOf(parts)
owners = struct();
for k = 1:numel(parts)
    if ~isa(parts{k}, 'OptimizationExpression'), continue, end
    for name = fieldnames(parts{k}.Owners)'
        owners.(name{1}) = parts{k}.Owners.(name{1});
    end
end
end

function v = ones_(owners)
v = structfun(@(x) ones(x.Extent), owners, 'UniformOutput', false);
end
