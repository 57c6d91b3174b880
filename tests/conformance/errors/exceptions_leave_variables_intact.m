x = 1; v = 1:3; try, x = 2; v(2) = 20; v(10, 10, 0) = 1; catch, end, disp(x); disp(v);
try, v = undefined_fn_qq(1); catch, end, disp(v);
