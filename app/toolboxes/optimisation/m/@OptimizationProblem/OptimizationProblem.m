classdef OptimizationProblem
    % What is to be least or largest, and under which constraints; made by optimproblem, solved by solve.
    properties
        Description = '';
        ObjectiveSense = 'minimize';
        Objective = [];
        Constraints = struct();
    end

    properties (Dependent, SetAccess = private)
        Variables
    end

    methods
        function p = set.ObjectiveSense(p, sense)
            known = {'minimize', 'min', 'maximize', 'max'};
            at = find(strcmpi(sense, known));
            if isempty(at), error('optim_problemdef:OptimizationProblem:sense', 'ObjectiveSense is ''minimize'' or ''maximize''.'); end
            p.ObjectiveSense = known{at - mod(at + 1, 2)};
        end

        function v = get.Variables(p)
            v = struct();
            parts = [{p.Objective}, cellfun(@(c) [c.Parts], relationsOf(p), 'UniformOutput', false)];
            parts = [parts(1), [parts{2:end}]];
            for k = 1:numel(parts)
                if ~isa(parts{k}, 'OptimizationExpression'), continue, end
                for name = fieldnames(parts{k}.Owners)'
                    v.(name{1}) = parts{k}.Owners.(name{1});
                end
            end
            v = orderfields(v);
        end

        function show(p)
            % Objective, constraints and bounds in words of the variables.
            v = p.Variables;
            fprintf('\n  OptimizationProblem : %s\n\n\tSolve for:\n       %s\n\n\t%s :\n', p.Description, strjoin(fieldnames(v)', ', '), p.ObjectiveSense);
            if isa(p.Objective, 'OptimizationExpression'), lines = textOf(p.Objective); fprintf('       %s\n', lines{:}); else, fprintf('       %s\n', num2str(p.Objective)); end
            fprintf('\n');
            names = {''};
            if isstruct(p.Constraints), names = cellfun(@(n) [' ' n], fieldnames(p.Constraints)', 'UniformOutput', false); end
            c = relationsOf(p);
            for k = 1:numel(c)
                fprintf('\n\tsubject to%s:\n', names{min(k, end)});
                lines = textOf(c{k});
                fprintf('       %s\n', lines{:});
            end
            bounds = {};
            for name = fieldnames(v)'
                x = v.(name{1});
                labels = textOf(x);
                for k = 1:numel(labels)
                    [low, high] = deal(x.LowerBound(k), x.UpperBound(k));
                    if isinf(low) && isinf(high), continue, end
                    text = labels{k};
                    if ~isinf(low), text = sprintf('%.15g <= %s', low, text); end
                    if ~isinf(high), text = sprintf('%s <= %.15g', text, high); end
                    bounds{end + 1} = text; %#ok<AGROW>
                end
            end
            if ~isempty(bounds), fprintf('\n\tvariable bounds:\n'), fprintf('       %s\n', bounds{:}); end
            fprintf('\n');
        end

        function [sol, fval, exitflag, output, lambda] = solve(p, varargin)
            % [sol, fval, exitflag, output, lambda] = solve(prob, x0, 'Options', o, 'Solver', s): a struct of the variables' values, the objective there, and what the
            %   solver says. Linear problems go to linprog or intlinprog, quadratic ones with linear constraints to quadprog, others to fminunc, fmincon (x0 is needed), or
            %   ga where variables are integers.
            [x0, options, solver] = deal([], [], '');
            if ~isempty(varargin) && isstruct(varargin{1}), [x0, varargin] = deal(varargin{1}, varargin(2:end)); end
            for k = 1:2:numel(varargin)
                name = validatestring(varargin{k}, {'Options', 'Solver'}, 'solve');
                if k == numel(varargin), error('optim_problemdef:solve:missingValue', 'The option %s lacks its value.', name); end
                if strcmp(name, 'Options'), options = varargin{k + 1}; else, solver = char(varargin{k + 1}); end
            end
            m = numbersOf(p);
            if isempty(solver), solver = solverOf(m); end
            start = [];
            if ~isempty(x0), start = flattened(m, x0); end
            if m.degree > 1 && any(strcmp(solver, {'linprog', 'intlinprog'})) || m.degree > 2 && strcmp(solver, 'quadprog') || ~isempty(m.curved) && any(strcmp(solver, {'linprog', 'intlinprog', 'quadprog', 'fminunc'}))
                error('optim_problemdef:solve:unsuitableSolver', 'The solver %s does not suit this problem.', solver);
            end
            [x, exitflag, output, lambda] = found(m, solver, start, options);
            sol = struct();
            fval = [];
            for k = 1:numel(m.names)
                place = m.starts(k) + 1:m.starts(k + 1);
                if isempty(x), sol.(m.names{k}) = []; else, sol.(m.names{k}) = reshape(x(place), m.variables.(m.names{k}).Extent); end
            end
            if ~isempty(x)
                fval = 0;
                if isa(p.Objective, 'OptimizationExpression'), fval = evaluate(p.Objective, sol); elseif ~isempty(p.Objective), fval = p.Objective; end
            end
            output.solver = solver;
        end
    end
end

function c = relationsOf(p)
% The constraints, one cell for each.
c = {};
if isa(p.Constraints, 'OptimizationConstraint')
    c = {p.Constraints};
elseif isstruct(p.Constraints)
    c = struct2cell(p.Constraints)';
end
if ~all(cellfun(@(r) isa(r, 'OptimizationConstraint'), c)), error('optim_problemdef:OptimizationProblem:constraints', 'Constraints must be made by <=, >= or ==.'); end
end

function m = numbersOf(p)
% Bounds, linear constraints and functions of one column of all variables.
m.variables = p.Variables;
m.names = fieldnames(m.variables);
if isempty(m.names), error('optim_problemdef:solve:noVariables', 'The problem has no variables.'); end
each = struct2cell(m.variables);
m.starts = [0; cumsum(cellfun(@(v) prod(v.Extent), each))];
n = m.starts(end);
m.low = cell2mat(cellfun(@(v) v.LowerBound(:), each, 'UniformOutput', false));
m.high = cell2mat(cellfun(@(v) v.UpperBound(:), each, 'UniformOutput', false));
m.whole = find(cell2mat(cellfun(@(v) repmat(strcmp(v.Type, 'integer'), prod(v.Extent), 1), each, 'UniformOutput', false)))';
m.sign = 1 - 2*strcmp(p.ObjectiveSense, 'maximize');
[m.degree, m.objective] = deal(0, @(x) 0);
if isa(p.Objective, 'OptimizationExpression')
    if prod(p.Objective.Extent) ~= 1, error('optim_problemdef:solve:objective', 'The objective must be one number.'); end
    m.degree = p.Objective.Degree;
    value = p.Objective.Value;
    m.objective = @(x) m.sign*value(unflattened(m, x));
end
[m.A, m.b, m.Aeq, m.beq, m.curved] = deal(zeros(0, n), zeros(0, 1), zeros(0, n), zeros(0, 1), {});
for c = relationsOf(p)
    for k = 1:numel(c{1}.Parts)
        part = c{1}.Parts{k};
        if ~isa(part, 'OptimizationExpression'), continue, end
        value = part.Value;
        f = @(x) reshape(value(unflattened(m, x)), [], 1);
        if part.Degree > 1
            m.curved(end + 1, :) = {f, c{1}.Relations{k}};
        else
            [A, constant] = linearOf(f, n);
            if strcmp(c{1}.Relations{k}, '=='), [m.Aeq, m.beq] = deal([m.Aeq; A], [m.beq; -constant]); else, [m.A, m.b] = deal([m.A; A], [m.b; -constant]); end
        end
    end
end
end

function [A, constant] = linearOf(f, n)
constant = f(zeros(n, 1));
A = zeros(numel(constant), n);
for k = 1:n
    x = zeros(n, 1);
    x(k) = 1;
    A(:, k) = f(x) - constant;
end
end

function [H, g] = quadraticOf(f, n)
% Curvature and slope at 0 of a polynomial of the second degree.
constant = f(zeros(n, 1));
[ahead, behind] = deal(zeros(n, 1));
unit = eye(n);
for k = 1:n, [ahead(k), behind(k)] = deal(f(unit(:, k)) - constant, f(-unit(:, k)) - constant); end
g = (ahead - behind)/2;
H = diag(ahead + behind);
for i = 1:n
    for j = 1:i - 1
        H(i, j) = f(unit(:, i) + unit(:, j)) - constant - ahead(i) - ahead(j);
        H(j, i) = H(i, j);
    end
end
end

function solver = solverOf(m)
if isempty(m.curved) && m.degree <= 1
    solver = 'linprog';
    if ~isempty(m.whole), solver = 'intlinprog'; end
elseif ~isempty(m.whole)
    solver = 'ga';
elseif isempty(m.curved) && m.degree == 2
    solver = 'quadprog';
elseif isempty(m.curved) && isempty(m.A) && isempty(m.Aeq) && all(isinf(m.low)) && all(isinf(m.high))
    solver = 'fminunc';
else
    solver = 'fmincon';
end
end

function [x, exitflag, output, lambda] = found(m, solver, start, options)
n = numel(m.low);
lambda = [];
if isempty(options), more = {}; else, more = {options}; end
if isempty(options) && ~strcmp(solver, 'ga'), more = {optimoptions(solver, 'Display', 'off')}; end
if any(strcmp(solver, {'fmincon', 'fminunc'})) && isempty(start), error('optim_problemdef:solve:noStart', 'A nonlinear problem needs a start: solve(prob, x0), x0 a struct of the variables'' values.'); end
switch solver
    case 'linprog'
        f = linearOf(m.objective, n)';
        [x, ~, exitflag, output, lambda] = linprog(f, m.A, m.b, m.Aeq, m.beq, m.low, m.high, more{:});
    case 'intlinprog'
        f = linearOf(m.objective, n)';
        [x, ~, exitflag, output] = intlinprog(f, m.whole, m.A, m.b, m.Aeq, m.beq, m.low, m.high, [], more{:});
    case 'quadprog'
        [H, g] = quadraticOf(m.objective, n);
        [x, ~, exitflag, output, lambda] = quadprog(H, g, m.A, m.b, m.Aeq, m.beq, m.low, m.high, start, more{:});
    case 'fminunc'
        [x, ~, exitflag, output] = fminunc(m.objective, start, more{:});
    case 'fmincon'
        [x, ~, exitflag, output, lambda] = fmincon(m.objective, start, m.A, m.b, m.Aeq, m.beq, m.low, m.high, @(x) curvedOf(m, x), more{:});
    case 'ga'
        [x, ~, exitflag, output] = ga(@(x) m.objective(x(:)), n, m.A, m.b, m.Aeq, m.beq, m.low, m.high, @(x) curvedOf(m, x(:)), m.whole, more{:});
        x = x(:);
    otherwise
        error('optim_problemdef:solve:unknownSolver', 'Solvers are linprog, intlinprog, quadprog, fminunc, fmincon and ga.');
end
end

function [c, ceq] = curvedOf(m, x)
[c, ceq] = deal(zeros(0, 1));
for k = 1:size(m.curved, 1)
    v = m.curved{k, 1}(x);
    if strcmp(m.curved{k, 2}, '=='), ceq = [ceq; v]; else, c = [c; v]; end %#ok<AGROW>
end
end

function v = unflattened(m, x)
v = struct();
for k = 1:numel(m.names), v.(m.names{k}) = reshape(x(m.starts(k) + 1:m.starts(k + 1)), m.variables.(m.names{k}).Extent); end
end

function x = flattened(m, v)
x = zeros(m.starts(end), 1);
for k = 1:numel(m.names)
    if ~isfield(v, m.names{k}), error('optim_problemdef:solve:start', 'The start lacks the variable %s.', m.names{k}); end
    x(m.starts(k) + 1:m.starts(k + 1)) = v.(m.names{k});
end
end
