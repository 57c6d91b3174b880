s.f = @(x) x + 1; disp(s.f(2)); s.g.h = @() 42; disp(s.g.h());
