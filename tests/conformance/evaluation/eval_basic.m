eval('x = 3;'); disp(x); y = eval('x + 1'); disp(y); eval('z = [1 2'';', 'disp(''fallback'')'); s = evalc('disp(5)'); disp(strtrim(s)); for k = 1:3, eval(sprintf('v%d = %d;', k, k * k)); end, disp(v3);
eval('if x > 2, disp(''big''), end'); a = 1; eval('a = a + 1; a = a * 10;'); disp(a); disp(exist('v2')); disp(exist('v9')); clear v2; disp(exist('v2'));
