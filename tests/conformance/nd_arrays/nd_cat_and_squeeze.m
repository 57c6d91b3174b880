A = cat(3, [1 2], [3 4]); size(A), squeeze(A(1, 2, :)), size(permute(A, [3 1 2]))
