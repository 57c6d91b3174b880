classdef Box
  properties, w = 1; h = 2; end
  methods
    function b = Box(w, h), if nargin, b.w = w; b.h = h; end, end
    function a = area(b), a = shapes.area(b.w, b.h); end
  end
  methods (Static), function n = kinds(), n = 3; end, end
end
