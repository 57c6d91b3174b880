function problem = createOptimProblem(solver, varargin)
% problem = createOptimProblem(solver, Name, Value, ...): the structure that fmincon, fminunc, lsqcurvefit and
%   lsqnonlin solve, and that run(GlobalSearch, problem) and run(MultiStart, problem, k) start from. Names: objective,
%   x0, Aineq, bineq, Aeq, beq, lb, ub, nonlcon, xdata, ydata, options, as far as the solver has them.
solver = char(solver);
linear = {'Aineq', 'bineq', 'Aeq', 'beq'};
switch solver
    case 'fmincon', names = ['objective', 'x0', linear, 'lb', 'ub', 'nonlcon'];
    case 'fminunc', names = {'objective', 'x0'};
    case 'lsqcurvefit', names = {'objective', 'x0', 'xdata', 'ydata', 'lb', 'ub'};
    case 'lsqnonlin', names = {'objective', 'x0', 'lb', 'ub'};
    otherwise
        error('globaloptim:createOptimProblem:invalidSolver', 'The solver must be fmincon, fminunc, lsqcurvefit or lsqnonlin, not ''%s''.', solver);
end
problem = cell2struct(cell(numel(names), 1), names(:), 1);
problem.solver = solver;
problem.options = optimoptions(solver);
if mod(numel(varargin), 2)
    error('globaloptim:createOptimProblem:invalidPVPairs', 'Names and values must come in pairs.');
end
for k = 1:2:numel(varargin)
    known = [names, {'options'}];
    at = find(strcmpi(char(varargin{k}), known));
    if isempty(at)
        error('globaloptim:createOptimProblem:invalidName', '%s has no ''%s''. It has: %s.', solver, char(varargin{k}), strjoin(known, ', '));
    end
    problem.(known{at}) = varargin{k + 1};
end
end
