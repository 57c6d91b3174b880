S = sparse(3, 3); S(2, 3) = 7; S(1, :) = [1 0 2]; disp(full(S)); S(2, 3) = 0; disp(nnz(S)); disp(full(sum(S))); disp(full(S(:, 3))');
