% oracle: func2str gives MATLAB compact text
f = @(x) x^2 + 1; disp(f(3)); a = 10; g = @(x) a * x; a = 20; disp(g(2)); h = @(x, y) x + y; disp(h(1, 2)); k = @() 42; disp(k());
compose = @(f, g) @(x) f(g(x)); q = compose(@sin, @(x) x * 0); disp(q(5)); disp(feval(f, 2)); fs = {@sin, @cos, @(x) x}; disp(fs{3}(7));
v = @(varargin) numel(varargin); disp(v(1, 2, 3)); add = @(n) @(x) x + n; disp(add(3)(4)); disp(func2str(f)); disp(class(f));
s.fn = @(x) x * 2; disp(s.fn(21)); m = @max; disp(m([3 8 1])); [p, i] = m([3 8 1]); disp([p i]);
