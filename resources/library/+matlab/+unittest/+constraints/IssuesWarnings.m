classdef IssuesWarnings < matlab.unittest.constraints.Constraint
    % A function that issues these warnings, and perhaps others.
    properties
        Expected
    end

    methods
        function constraint = IssuesWarnings(identifiers, varargin)
            constraint.Expected = cellstr(identifiers);
        end

        function text = problem(constraint, action)
            missing = setdiff(constraint.Expected, matlab.unittest.internal.issued(action, 0));
            text = '';
            if ~isempty(missing)
                text = sprintf('There was no warning ''%s''.', strjoin(missing, ''', '''));
            end
        end
    end
end
