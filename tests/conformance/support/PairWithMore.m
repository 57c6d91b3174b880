classdef PairWithMore < handle
    properties
        A
    end
    methods
        function [self, other, third] = PairWithMore(n)
            self.A = n;
            other = n + 1;
            if n > 5
                third = 'big';
            end
        end
        function r = twice(self), r = 2 * self.A; end
    end
end
