classdef Check < matlab.unittest.constraints.BooleanConstraint
    % A constraint made of two functions: whether a value is good, and what is wrong with one.
    properties (SetAccess = private)
        Holds
        Says
    end

    methods
        function check = Check(holds, says)
            check.Holds = holds;
            if ~isa(says, 'function_handle')
                says = @(x) says;
            end
            check.Says = says;
        end

        function good = satisfiedBy(check, actual)
            good = check.Holds(actual);
        end

        function text = getDiagnosticFor(check, actual)
            text = check.Says(actual);
        end
    end
end
