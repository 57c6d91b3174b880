add = @(n) @(x) x + n; f = add(5); g = add(10); disp([f(1) g(1)]); disp(feval(add(1), 1));
compose = @(f, g) @(x) f(g(x)); h = compose(@sqrt, @abs); disp(h(-16));
