v = [1 2 3];
v(2) = 3 + 4i
isreal(v)
