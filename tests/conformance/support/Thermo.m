classdef Thermo < handle
    % A temperature kept in one unit and seen in two.
    properties
        Celsius = 0
    end
    properties (Dependent)
        Fahrenheit
    end
    properties (Constant)
        ZERO = -273.15
    end
    methods
        function set.Celsius(obj, value)
            if value < -273.15
                error('Thermo:tooCold', 'Below absolute zero: %g', value);
            end
            obj.Celsius = value;
        end
        function f = get.Fahrenheit(obj)
            f = obj.Celsius * 9 / 5 + 32;
        end
        function set.Fahrenheit(obj, f)
            obj.Celsius = (f - 32) * 5 / 9;
        end
    end
    methods (Static)
        function t = fromKelvin(k)
            t = Thermo();
            t.Celsius = k + Thermo.ZERO;
        end
    end
end
