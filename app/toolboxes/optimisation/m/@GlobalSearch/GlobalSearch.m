classdef GlobalSearch
    % A global minimum by fmincon from many starts: [x, fval, exitflag, output, solutions] = run(GlobalSearch, problem).
    %   Trial points are left out that lie in basins that are known, or whose value is above a threshold that both
    %   adapt. Options by name: NumTrialPoints, NumStageOnePoints, BasinRadiusFactor, DistanceThresholdFactor,
    %   MaxWaitCycle, PenaltyThresholdFactor, and those of MultiStart.
    properties
        NumTrialPoints = 1000
        BasinRadiusFactor = 0.2
        DistanceThresholdFactor = 0.75
        MaxWaitCycle = 20
        NumStageOnePoints = 200
        PenaltyThresholdFactor = 0.2
        Display = 'final'
        FunctionTolerance = 1e-6
        MaxTime = Inf
        OutputFcn = []
        PlotFcn = []
        StartPointsToRun = 'all'
        XTolerance = 1e-6
    end
    methods
        function g = GlobalSearch(varargin)
            if nargin && ~(ischar(varargin{1}) || isstring(varargin{1}))
                g = optim.internal.configured(g, optim.internal.common(varargin{1}));
                varargin(1) = [];
            end
            g = optim.internal.configured(g, varargin);
        end

        function [x, fval, exitflag, output, solutions] = run(g, problem)
            optim.internal.refuse(g);
            runs = optim.internal.LocalRuns(problem, g);
            if ~strcmp(problem.solver, 'fmincon')
                error('globaloptim:GlobalSearch:run:invalidSolver', 'GlobalSearch runs fmincon only, not %s: use MultiStart.', problem.solver);
            elseif g.NumStageOnePoints > g.NumTrialPoints
                error('globaloptim:GlobalSearch:run:stageOne', 'NumTrialPoints must not be less than NumStageOnePoints.');
            end
            random = RandomStartPointSet('NumStartPoints', g.NumTrialPoints, 'ArtificialBound', 1e4);
            points = list(random, problem);
            basins = struct('centre', {}, 'radius', {}, 'waits', {});
            [basins, first] = descend(g, runs, problem.x0(:).', basins);
            ones = 1:g.NumStageOnePoints;
            scores = arrayfun(@(k) score(problem, points(k, :), runs), ones);
            [lowest, best] = min(scores);
            [basins, second] = descend(g, runs, points(best, :), basins);
            threshold = min([first, second, Inf]);
            if isinf(threshold), threshold = lowest; end
            [waits, ended] = deal(0, 'it analyzed all the trial points.');
            for k = g.NumStageOnePoints + 1:g.NumTrialPoints
                if runs.late(), ended = 'maximum time was exceeded.'; break, end
                p = points(k, :);
                if ~optim.internal.startable(problem, p, g.StartPointsToRun), continue, end
                value = score(problem, p, runs);
                within = arrayfun(@(b) norm(p - b.centre) <= g.DistanceThresholdFactor*b.radius, basins);
                if ~any(within) && value < threshold
                    basins = descend(g, runs, p, basins);
                    [threshold, waits] = deal(value, 0);
                    continue
                end
                for at = find(within)
                    basins(at) = waited(g, basins(at));
                end
                waits = (waits + 1)*(value >= threshold);
                if waits == g.MaxWaitCycle
                    [threshold, waits] = deal(threshold + g.PenaltyThresholdFactor*(1 + abs(threshold)), 0);
                end
            end
            [x, fval, exitflag, output, solutions] = runs.result(['GlobalSearch stopped because ' ended]);
        end
    end

    methods (Access = private)
        function [basins, fval] = descend(~, runs, p, basins)
            % Solve from a point; where that ends at a minimum, the way to it is the radius of its basin.
            [x, fval, flag] = runs.start(p);
            if flag <= 0, fval = Inf; return, end
            [x, reach] = deal(x(:).', norm(x(:).' - p));
            for k = 1:numel(basins)
                if norm(basins(k).centre - x) <= 1e-6*max(1, norm(x))
                    basins(k).radius = max(basins(k).radius, reach);
                    return
                end
            end
            basins(end + 1) = struct('centre', x, 'radius', reach, 'waits', 0);
        end

        function basin = waited(g, basin)
            % A basin that has stopped many points becomes smaller.
            basin.waits = basin.waits + 1;
            if basin.waits == g.MaxWaitCycle
                basin.radius = basin.radius*(1 - g.BasinRadiusFactor);
                basin.waits = 0;
            end
        end
    end
end

function value = score(problem, p, runs)
% The objective with a thousandfold of what the constraints are missed by.
x = reshape(p, size(problem.x0));
value = problem.objective(x) + 1000*optim.internal.missedby(problem, p);
runs.Calls = runs.Calls + 1;
if isnan(value), value = Inf; end
end
