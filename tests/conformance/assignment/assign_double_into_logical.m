b = [true false];
b(1) = 5; class(b)
b
