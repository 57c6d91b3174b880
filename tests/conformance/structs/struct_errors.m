s.a = 1;
try, s.b, catch e, disp('nofield'); end
try, s(2), catch e, disp('beyond'); end
x = 5;
try, x.a, catch e, disp('notstruct'); end
try, x{1}, catch e, disp('notcell'); end
c = {1,2};
try, c.a, catch e, disp('cellfield'); end
try, y = s.('no'); catch e, disp('dyn'); end
