classdef (Abstract) Shape
  properties (Abstract)
    name
  end
  methods (Abstract)
    a = area(s)
  end
  methods
    function s = describe(obj)
      s = sprintf('%s with area %g', obj.name, obj.area());
    end
  end
end
