function r = small_conjugate_gradients()
n = 40; A = diag(2*ones(n,1)) - diag(ones(n-1,1),1) - diag(ones(n-1,1),-1); b = ones(n,1); x = zeros(n,1); e = b; p = e; s = e'*e;
for k = 1:n, q = A*p; a = s/(p'*q); x = x + a*p; e = e - a*q; t = e'*e; if sqrt(t) < 1e-10, break, end, p = e + t/s*p; s = t; end
r = sum(x);
end
