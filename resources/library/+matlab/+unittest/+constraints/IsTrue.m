classdef IsTrue < matlab.unittest.constraints.Constraint
    % A true scalar.
    methods
        function text = problem(~, actual)
            text = '';
            if ~(islogical(actual) && isscalar(actual) && actual)
                text = 'The value is not a true scalar.';
            end
        end
    end
end
