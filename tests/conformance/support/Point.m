classdef Point
  properties
    x = 0
    y = 0
  end
  properties (Constant)
    ORIGIN_LABEL = 'origin'
  end
  properties (Dependent)
    norm
  end
  methods
    function p = Point(x, y)
      if nargin > 0
        p.x = x;
        p.y = y;
      end
    end
    function v = get.norm(p)
      v = sqrt(p.x ^ 2 + p.y ^ 2);
    end
    function p = set.x(p, v)
      if ~isnumeric(v)
        error('Point:type', 'x must be numeric');
      end
      p.x = v;
    end
    function p = shift(p, dx, dy)
      p.x = p.x + dx;
      p.y = p.y + dy;
    end
    function r = plus(a, b)
      r = Point(a.x + b.x, a.y + b.y);
    end
    function r = mtimes(a, k)
      if isa(a, 'Point'), r = Point(a.x * k, a.y * k); else, r = Point(k.x * a, k.y * a); end
    end
    function tf = eq(a, b)
      tf = a.x == b.x && a.y == b.y;
    end
    function r = uminus(a), r = Point(-a.x, -a.y); end
    function [a, b] = parts(p), a = p.x; b = p.y; end
    function disp(p), fprintf('(%g, %g)\n', p.x, p.y); end
  end
  methods (Static)
    function p = unit(), p = Point(1, 0); end
    function n = count(varargin), n = numel(varargin); end
  end
end
