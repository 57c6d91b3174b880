classdef (Abstract) Constraint
    % What verifyThat asks of a value.
    methods (Abstract)
        % What is wrong with the value; empty when nothing is.
        text = problem(constraint, actual)
    end

    methods
        function good = satisfiedBy(constraint, actual)
            good = isempty(constraint.problem(actual));
        end
    end
end
