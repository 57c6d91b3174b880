classdef LocalRuns < handle
    % Runs of a local solver from several starts, and the minima that they found.
    properties
        Solutions = GlobalOptimSolution.empty(1, 0)
        Total = 0
        Success = 0
        Incomplete = 0
        NoSolution = 0
        Calls = 0
        Failed = []
    end
    properties (Access = private)
        Problem
        Search
        Began
    end
    methods
        function r = LocalRuns(problem, search)
            if ~isstruct(problem) || ~all(isfield(problem, {'objective', 'x0', 'solver', 'options'}))
                error('globaloptim:GlobalSearch:run:invalidProblem', 'The problem must be a structure that createOptimProblem makes.');
            elseif isempty(problem.x0)
                error('globaloptim:GlobalSearch:run:noStart', 'The problem must have a start x0.');
            end
            [r.Problem, r.Search, r.Began] = deal(problem, search, tic);
            r.Problem.options = optimoptions(problem.solver);
            if ~isempty(problem.options), r.Problem.options = problem.options; end
            r.Problem.options.Display = 'off';
        end

        function [x, fval, flag] = start(r, x0)
            % Solve from one start.
            given = r.Problem;
            given.x0 = reshape(x0, size(given.x0));
            if strncmp(given.solver, 'lsq', 3)
                [x, fval, ~, flag, output] = feval(given.solver, given);
            else
                [x, fval, flag, output] = feval(given.solver, given);
            end
            r.Total = r.Total + 1;
            r.Calls = r.Calls + output.funcCount;
            r.Success = r.Success + (flag > 0);
            r.Incomplete = r.Incomplete + (flag == 0);
            r.NoSolution = r.NoSolution + (flag < 0);
            if flag > 0
                r.keep(x, fval, flag, output, given.x0);
            elseif isempty(r.Failed) || fval < r.Failed.fval
                r.Failed = struct('x', x, 'fval', fval);
            end
        end

        function over = late(r)
            over = toc(r.Began) > r.Search.MaxTime;
        end

        function [x, fval, exitflag, output, solutions] = result(r, message)
            % What run gives back.
            output = struct('funcCount', r.Calls, 'localSolverTotal', r.Total, 'localSolverSuccess', r.Success, ...
                'localSolverIncomplete', r.Incomplete, 'localSolverNoSolution', r.NoSolution, 'message', [message newline newline r.told()]);
            if strcmpi(r.Search.Display, 'final'), fprintf('\n%s\n', output.message); end
            if ~isempty(r.Solutions)
                [~, order] = sort([r.Solutions.Fval]);
                r.Solutions = r.Solutions(order);
            end
            solutions = r.Solutions;
            [x, fval] = deal([]);
            if r.Success
                [x, fval] = deal(solutions(1).X, solutions(1).Fval);
                exitflag = 1 + (r.Success < r.Total);
            elseif r.Incomplete
                exitflag = 0;
            elseif r.Total
                exitflag = -8;
            else
                exitflag = -5;
            end
            if ~r.Success && ~isempty(r.Failed), [x, fval] = deal(r.Failed.x, r.Failed.fval); end
        end
    end

    methods (Access = private)
        function text = told(r)
            if r.Success == r.Total
                text = sprintf('All %d local solver runs converged with a positive local solver exit flag.', r.Total);
            else
                text = sprintf('%d out of %d local solver runs converged with a positive local solver exit flag.', r.Success, r.Total);
            end
        end

        function keep(r, x, fval, flag, output, x0)
            % A new minimum, or another start of one that is known.
            for k = 1:numel(r.Solutions)
                s = r.Solutions(k);
                alike = abs(fval - s.Fval) <= r.Search.FunctionTolerance*max(1, abs(s.Fval));
                if alike && norm(x(:) - s.X(:)) <= r.Search.XTolerance*max(1, norm(s.X(:)))
                    best = s;
                    if fval < s.Fval, best = GlobalOptimSolution(x, fval, flag, output, {}); end
                    r.Solutions(k) = GlobalOptimSolution(best.X, best.Fval, best.Exitflag, best.Output, [s.X0, {x0}]);
                    return
                end
            end
            r.Solutions(end + 1) = GlobalOptimSolution(x, fval, flag, output, {x0});
        end
    end
end
