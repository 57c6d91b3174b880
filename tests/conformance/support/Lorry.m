classdef Lorry < handle
    properties
        Load = Parcel();
    end
    properties (Dependent)
        Total
    end
    methods
        function t = get.Total(obj)
            t = sum([obj.Load(:).Total]); % of another class: its own get method is called
        end
        function set.Total(obj, t)
            for k = 1:numel(obj.Load)
                obj.Load(k).Total = t / numel(obj.Load);
            end
        end
    end
end
