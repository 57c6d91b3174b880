function v = change(v), v(1) = 100; end
a = [1 2 3]; b = change(a); disp(a); disp(b);
