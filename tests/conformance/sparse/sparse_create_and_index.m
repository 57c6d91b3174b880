S = sparse([1 2 3], [1 2 3], [4 5 6]); disp(full(S(2, 2))); disp(nnz(S)); disp(issparse(S)); disp(full(S)); [i, j, v] = find(S); disp([i j v]);
