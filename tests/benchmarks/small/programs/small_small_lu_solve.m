function r = small_small_lu_solve()
r = 0; for k = 1:60, A = [4 1 0 k; 1 5 2 0; 0 2 6 1; k 0 1 9+k^2]; [L, U, P] = lu(A); x = U \ (L \ (P * [1; 2; 3; 4])); C = chol(A); r = r + sum(x) + C(1, 2); end
end
