v = 1:5;
disp(v(logical([1 0 1])));
v([true true]) = []
