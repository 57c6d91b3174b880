function r = small_sparse_life()
A = sparse([2 3 3 4 4 10 11 12], [3 4 5 3 4 10 10 10], 1, 20, 20); n = 20; e = ones(n, 1);
S = spdiags([e e e], -1:1, n, n); r = 0;
for g = 1:25, N = S*A*S - A; A = sparse((N == 3) | (A & N == 2)); r = r + nnz(A); end
end
