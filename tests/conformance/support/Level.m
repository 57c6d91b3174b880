classdef Level < int32
    enumeration
        Low (1)
        Mid (5)
        High (10)
    end
    methods
        function tf = isUrgent(obj)
            tf = obj >= Level.Mid;
        end
    end
end
