classdef Square < Shape
  properties
    name = 'square'
    side = 1
  end
  methods
    function s = Square(side), if nargin, s.side = side; end, end
    function a = area(s), a = s.side ^ 2; end
  end
end
