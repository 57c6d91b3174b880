classdef Parcel < handle
    properties
        Weights = [1 2];
    end
    properties (Dependent)
        Total
        Unknown
    end
    methods
        function t = get.Total(obj)
            t = sum(obj.Weights);
        end
        function set.Total(obj, t)
            obj.Weights = t / numel(obj.Weights) * ones(size(obj.Weights));
        end
    end
end
