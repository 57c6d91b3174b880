function r = small_lu_by_hand()
n = 16; A = mod(reshape((1:n*n)*7919, n, n), 31) + 60*eye(n); L = eye(n); U = A; for k = 1:n-1, for i = k+1:n, L(i,k) = U(i,k)/U(k,k); U(i,:) = U(i,:) - L(i,k)*U(k,:); end, end
r = norm(L*U - A) < 1e-9;
end
