A = magic(4);
A(logical([1 0 0 1]), [true false true false])
