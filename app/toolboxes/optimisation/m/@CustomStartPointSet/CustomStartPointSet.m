classdef CustomStartPointSet
    % Given starts for MultiStart, one in each row.
    properties (SetAccess = private)
        StartPointsDimension = 0
        NumStartPoints = 0
    end
    properties (Access = private)
        Points = []
    end
    methods
        function s = CustomStartPointSet(points)
            validateattributes(points, {'numeric'}, {'2d', 'nonempty', 'real'}, 'CustomStartPointSet');
            s.Points = points;
            [s.NumStartPoints, s.StartPointsDimension] = size(points);
        end
        function points = list(s, ~)
            points = s.Points;
        end
    end
end
