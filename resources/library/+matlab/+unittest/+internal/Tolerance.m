classdef Tolerance
    % How far a value may be off: absolutely, by a part of what is expected, or by the wider of both.
    properties (SetAccess = private)
        Options
    end

    methods
        function tolerance = Tolerance(name, values)
            tolerance.Options = {name, values};
        end

        function wider = or(a, b)
            wider = a;
            wider.Options = [a.Options, b.Options];
        end
    end
end
