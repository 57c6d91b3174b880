classdef Untitled < handle
    %Untitled  What its objects are.

    properties
        Value (1,1) double = 0
    end

    methods
        function obj = Untitled(value)
            if nargin > 0
                obj.Value = value;
            end
        end

        function add(obj, amount)
            obj.Value = obj.Value + amount;
        end
    end
end
