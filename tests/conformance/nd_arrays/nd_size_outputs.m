A = ones(2, 3, 4); [r, c] = size(A), [a, b, c, d] = size(A), size(A, 2), size(A, 5)
