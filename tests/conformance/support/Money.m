classdef Money
    % A value class with overloaded operators, conversion and display.
    properties
        v = 0
    end
    methods
        function obj = Money(v)
            if nargin > 0
                obj.v = v;
            end
        end
        function r = plus(a, b)
            r = Money(a.v + b.v);
        end
        function r = uminus(a)
            r = Money(-a.v);
        end
        function r = mtimes(a, k)
            r = Money(a.v * k);
        end
        function tf = lt(a, b)
            tf = a.v < b.v;
        end
        function tf = eq(a, b)
            tf = a.v == b.v;
        end
        function d = double(a)
            d = a.v;
        end
        function c = char(a)
            c = sprintf('$%.2f', a.v);
        end
        function disp(a)
            fprintf('Money %s\n', char(a));
        end
    end
end
