function r = small_gauss_seidel()
n = 20; x = zeros(n, 1); b = (1:n)'; A = 4*eye(n) - diag(ones(n-1,1), 1) - diag(ones(n-1,1), -1);
for k = 1:60, for i = 1:n, x(i) = (b(i) - A(i,:)*x + A(i,i)*x(i))/A(i,i); end, end
r = sum(x);
end
