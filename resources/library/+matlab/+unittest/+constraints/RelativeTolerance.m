classdef RelativeTolerance
    % How far a value may be off, for IsEqualTo.
    properties
        Value
    end

    methods
        function tolerance = RelativeTolerance(value)
            tolerance.Value = value;
        end

        function given = options(tolerance)
            given = {'RelTol', tolerance.Value};
        end
    end
end
