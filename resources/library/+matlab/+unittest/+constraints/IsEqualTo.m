classdef IsEqualTo < matlab.unittest.constraints.Constraint
    % Equal to a value, within a tolerance if one is given: IsEqualTo(x, 'Within', tolerance).
    properties
        Expected
        Tolerance = {}
    end

    methods
        function constraint = IsEqualTo(expected, varargin)
            constraint.Expected = expected;
            if nargin > 2
                constraint.Tolerance = varargin{2}.options();
            end
        end

        function text = problem(constraint, actual)
            text = matlab.unittest.internal.compare(actual, constraint.Expected, ...
                constraint.Tolerance{:});
        end
    end
end
