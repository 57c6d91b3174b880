v = [1 2 3];
disp(v([1 1 2 2 3 3]));
disp(v(end:-1:1));
v([1 1]) = [8 9]; disp(v);
