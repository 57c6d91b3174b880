function r = small_determinant_by_minors()
r = minors(mod(reshape((1:36)*7, 6, 6), 11));
end
function d = minors(A)
n = size(A, 1); if n == 1, d = A; return, end
d = 0; for k = 1:n, d = d + (-1)^(k+1)*A(1,k)*minors(A(2:n, [1:k-1 k+1:n])); end
end
