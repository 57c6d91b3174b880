classdef Named < handle
    properties
        Name = ''
    end
    methods
        function obj = Named(name)
            if nargin, obj.Name = name; end
        end
        function r = greet(obj)
            r = ['I am ' obj.Name];
        end
    end
end
