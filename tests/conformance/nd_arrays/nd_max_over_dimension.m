A = reshape([3 1 4 1 5 9 2 6], 2, 2, 2); max(A, [], 3), min(A(:)), mean(A, 3)
