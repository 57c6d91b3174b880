classdef MultiStart
    % Minima by a local solver from many starts: [x, fval, exitflag, output, solutions] = run(MultiStart, problem, k).
    %   The starts are the problem's x0 and k - 1 random points, or those of RandomStartPointSet and
    %   CustomStartPointSet (also several, in a cell). Options by name: Display, FunctionTolerance, XTolerance,
    %   MaxTime, StartPointsToRun ('all', 'bounds', 'bounds-ineqs'), UseParallel.
    properties
        UseParallel = false
        Display = 'final'
        FunctionTolerance = 1e-6
        MaxTime = Inf
        OutputFcn = []
        PlotFcn = []
        StartPointsToRun = 'all'
        XTolerance = 1e-6
    end
    methods
        function m = MultiStart(varargin)
            if nargin && ~(ischar(varargin{1}) || isstring(varargin{1}))
                m = optim.internal.configured(m, optim.internal.common(varargin{1}));
                varargin(1) = [];
            end
            m = optim.internal.configured(m, varargin);
        end

        function [x, fval, exitflag, output, solutions] = run(m, problem, starts)
            optim.internal.refuse(m);
            runs = optim.internal.LocalRuns(problem, m);
            if isnumeric(starts)
                validateattributes(starts, {'numeric'}, {'scalar', 'integer', 'positive'}, 'run');
                points = [problem.x0(:).'; list(RandomStartPointSet('NumStartPoints', starts - 1), problem)];
            else
                if ~iscell(starts), starts = {starts}; end
                lists = cellfun(@(s) list(s, problem), starts(:), 'UniformOutput', false);
                points = vertcat(lists{:});
            end
            if size(points, 2) ~= numel(problem.x0)
                error('globaloptim:MultiStart:run:startPointSize', 'The starts must have as many columns as x0 has elements.');
            end
            ended = 'completed the runs from all start points.';
            for k = 1:size(points, 1)
                if ~optim.internal.startable(problem, points(k, :), m.StartPointsToRun), continue, end
                if runs.late(), ended = 'stopped because maximum time was exceeded.'; break, end
                runs.start(points(k, :));
            end
            [x, fval, exitflag, output, solutions] = runs.result(['MultiStart ' ended]);
        end
    end
end
