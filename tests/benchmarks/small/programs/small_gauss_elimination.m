function r = small_gauss_elimination()
n = 20; A = mod(reshape((1:n*n)*7919, n, n), 101) + 50*eye(n); b = (1:n)';
for k = 1:n-1, for i = k+1:n, f = A(i,k)/A(k,k); A(i,k:n) = A(i,k:n) - f*A(k,k:n); b(i) = b(i) - f*b(k); end, end
x = zeros(n, 1); for i = n:-1:1, x(i) = (b(i) - A(i,i+1:n)*x(i+1:n))/A(i,i); end
r = sum(x);
end
