classdef dynamicprops < handle
    % Handle classes whose objects can be given properties of their own: addprop(obj, name).
end
