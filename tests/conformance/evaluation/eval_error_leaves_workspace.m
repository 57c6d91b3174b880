x = 1; try, eval('x = 2; y = undefined_name_q;'); catch, end, disp(x); disp(exist('y'));
try, eval('1 +'), catch, disp('syntax'), end
