A = ones(2, 3, 2); size(sum(A)), size(sum(A, 3)), sum(A(:))
