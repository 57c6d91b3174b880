classdef Sized < handle
    properties
        Count = 0
    end
    properties (Access = protected)
        Secret = 42
    end
    methods
        function grow(obj, n)
            obj.Count = obj.Count + n;
        end
    end
    methods (Access = protected)
        function r = hidden(obj)
            r = obj.Secret;
        end
    end
end
