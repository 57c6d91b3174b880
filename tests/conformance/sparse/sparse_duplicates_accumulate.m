full(sparse([1 1 2], [1 1 2], [1 2 3])), full(sparse(2, 3)), nnz(sparse([0 1 0])), full(speye(2))
