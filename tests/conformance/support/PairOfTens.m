classdef PairOfTens < PairWithMore
    methods
        function self = PairOfTens(n)
            self = self@ ... the base
                PairWithMore(n);
        end
        function r = twice(self)
            r = 10 * twice@ ... of the base
                PairWithMore(self);
        end
    end
end
