function r = small_jacobi_iteration()
n = 30; b = (1:n)'; x = zeros(n, 1); A = 4*eye(n) - diag(ones(n-1,1), 1) - diag(ones(n-1,1), -1); d = diag(A); R = A - diag(d);
for k = 1:200, x = (b - R*x)./d; end
r = sum(x);
end
