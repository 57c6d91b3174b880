a = 3; eval('a = a * 2;'); disp(a); for k = 1:3, eval(sprintf('v%d = k;', k)); end, disp(v1 + v2 + v3);
