classdef IsOfClass < matlab.unittest.constraints.Constraint
    % Of exactly this class.
    properties
        Class
    end

    methods
        function constraint = IsOfClass(class)
            if ~ischar(class) && ~isstring(class)
                class = class.Name;
            end
            constraint.Class = class;
        end

        function text = problem(constraint, actual)
            text = '';
            if ~strcmp(class(actual), constraint.Class)
                text = sprintf('The class is %s instead of %s.', class(actual), constraint.Class);
            end
        end
    end
end
