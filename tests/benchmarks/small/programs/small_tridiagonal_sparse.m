function r = small_tridiagonal_sparse()
n = 12; r = 0; A = sparse(n, n);
for k = 1:n
    A(k, k) = 4; if k > 1, A(k, k-1) = -1; A(k-1, k) = -1; end
end
x = ones(n, 1);
for k = 1:15, x = A*x/norm(A*x); r = r + nnz(A > 0) + sum(x); end
[i, j, v] = find(A); r = round((r + sum(i.*v) + sum(j))*1e6);
end
