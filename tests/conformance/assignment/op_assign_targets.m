x = [1 2 3]; x(2) += 5; disp(x); s.n = 1; s.n += 4; disp(s.n); c = {1}; c{1} *= 3; disp(c{1}); y = 2; y ^= 3; disp(y); x(end+1) = x(end) + 1; disp(x);
