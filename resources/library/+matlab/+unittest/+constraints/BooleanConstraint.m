classdef (Abstract) BooleanConstraint < matlab.unittest.constraints.Constraint
    % A constraint that can be joined with others: a & b, a | b, ~a.
    methods
        function joined = and(a, b)
            holds = @(x) a.satisfiedBy(x) && b.satisfiedBy(x);
            says = @(x) matlab.unittest.internal.objections({a, b}, x);
            joined = matlab.unittest.internal.Check(holds, says);
        end

        function joined = or(a, b)
            holds = @(x) a.satisfiedBy(x) || b.satisfiedBy(x);
            says = @(x) matlab.unittest.internal.objections({a, b}, x);
            joined = matlab.unittest.internal.Check(holds, says);
        end

        function opposite = not(a)
            says = @(x) 'The value is what it must not be.';
            opposite = matlab.unittest.internal.Check(@(x) ~a.satisfiedBy(x), says);
        end
    end
end
