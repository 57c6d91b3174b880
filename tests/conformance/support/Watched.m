classdef Watched < handle
    properties (SetObservable)
        Level = 0
    end
    properties (Dependent)
        Double
    end
    methods
        function d = get.Double(obj)
            d = 2 * obj.Level;
        end
        function delete(obj)
            fprintf('gone at %d\n', obj.Level);
        end
    end
end
