a = 2; f = @(x) a * x; a = 100; disp(f(3)); clear a; disp(f(1));
