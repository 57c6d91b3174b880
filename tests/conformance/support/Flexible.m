classdef Flexible < dynamicprops
    properties
        Own = 1
    end
end
