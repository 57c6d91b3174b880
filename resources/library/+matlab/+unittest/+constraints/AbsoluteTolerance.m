classdef AbsoluteTolerance
    % How far a value may be off, for IsEqualTo.
    properties
        Value
    end

    methods
        function tolerance = AbsoluteTolerance(value)
            tolerance.Value = value;
        end

        function given = options(tolerance)
            given = {'AbsTol', tolerance.Value};
        end
    end
end
