S = sparse(6, 8); B = sparse([1 0; 0 2]);
for k = 1:3, S(2*k-1:2*k, 2*k-1:2*k) = B * k; S(2*k-1:2*k, 7:8) = -B; end
disp(full(S)); disp(nnz(S))
S(2:3, [8 2 2]) = [1 2 3; 4 5 6]; disp(full(S)); S([1 6], 3:5) = 0; disp(nnz(S)); S(7, 10) = 9; disp(size(S)); disp(full(S(6:7, 9:10)))
S(:, 2) = []; S(:, 9) = sparse(1:7)'; disp(full(S)); L = S > 4; L(1, :) = true; disp(full(L)); S(1, 1:2) = [1i 2]; disp(real(full(S(1, :)))); disp(imag(full(S(1, :))))
S([3 60 17]) = [7 8 0]; disp(real(full(S))); [i, j] = find(S); disp([i j])
