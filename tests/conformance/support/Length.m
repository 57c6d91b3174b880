classdef Length < double
    % Numbers with a unit.
    properties
        Unit = 'm'
    end
    methods
        function obj = Length(values, unit)
            if nargin == 0, values = 0; end
            obj = obj@double(values);
            if nargin > 1, obj.Unit = unit; end
        end
        function text = label(obj)
            text = sprintf('%g %s', double(obj(1)), obj.Unit);
        end
    end
end
