function r = small_cholesky_by_hand()
n = 14; A = mod(reshape((1:n*n)*7919, n, n), 31); A = A*A' + eye(n); L = zeros(n); for j = 1:n, L(j,j) = sqrt(A(j,j) - sum(L(j,1:j-1).^2)); for i = j+1:n, L(i,j) = (A(i,j) - L(i,1:j-1)*L(j,1:j-1)')/L(j,j); end, end
r = norm(L*L' - A) < 1e-8;
end
