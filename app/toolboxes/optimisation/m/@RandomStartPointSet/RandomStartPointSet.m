classdef RandomStartPointSet
    % Random starts for MultiStart, within the bounds of a problem.
    %   RandomStartPointSet('NumStartPoints', 10, 'ArtificialBound', 1000); list(s, problem): one in each row.
    properties
        NumStartPoints = 10
        ArtificialBound = 1000
    end
    methods
        function s = RandomStartPointSet(varargin)
            for k = 1:2:numel(varargin)
                s.(validatestring(varargin{k}, {'NumStartPoints', 'ArtificialBound'})) = varargin{k + 1};
            end
        end
        function points = list(s, problem)
            [low, high] = optim.internal.searchbox(problem, s.ArtificialBound);
            points = low + (high - low).*rand(s.NumStartPoints, numel(low));
        end
    end
end
