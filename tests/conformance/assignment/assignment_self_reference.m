x = 1:3; x = [x x(end) + 1]; x(2:3) = x([3 2]); disp(x); s.a = 1; s.b = s; disp(s.b.a); c = {1}; c{2} = c; disp(class(c{2})); x(end + 1:end + 2) = [8 9]; disp(x);
