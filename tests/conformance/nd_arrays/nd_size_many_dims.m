% oracle: size of several dimensions at once
A = ones(2, 3, 4);
size(A, [1 3])
[p, q] = size(A, 2, 3)
