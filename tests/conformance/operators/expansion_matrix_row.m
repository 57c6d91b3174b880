A = magic(3);
A - mean(A)
A ./ sum(A, 2)
