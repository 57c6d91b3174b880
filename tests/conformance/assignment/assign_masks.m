x = 1:6; x(x>3) = 0; disp(x); x(logical([1 0 1 0 0 0])) = [7 8]; disp(x);
m = magic(4); m(m>10) = -m(m>10); disp(m); m(logical(eye(4))) = 100; disp(m);
x(false(1,6)) = 5; disp(x); x([]) = 3; disp(x);
