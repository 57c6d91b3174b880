d = [1.5 2.5];
d(1) = int8(3); class(d)
