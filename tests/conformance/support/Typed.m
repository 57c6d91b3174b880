classdef Typed
  properties
    count (1,1) double {mustBeNonnegative} = 1
    label char = 'none'
    items (1,:) = [1 2 3]
    flag logical = false
  end
end
