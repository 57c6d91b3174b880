classdef (Abstract) Constraint
    % What verifyThat asks of a value; classes of yours may derive from it.
    methods (Abstract)
        % Whether the value is as wanted.
        good = satisfiedBy(constraint, actual)

        % What is wrong with the value, as text.
        text = getDiagnosticFor(constraint, actual)
    end
end
