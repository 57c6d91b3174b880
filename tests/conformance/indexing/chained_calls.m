f = @() struct('a', {{1, 2, 3}}); s = f(); disp(s.a{2}); g = @(n) magic(n); disp(g(3)(2, 2)); h = @() {5, @(x) x * 2}; c = h(); disp(c{2}(4)); disp(numel(num2str(pi)(1:3)));
