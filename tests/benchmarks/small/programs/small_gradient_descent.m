function r = small_gradient_descent()
A = magic(5)/20; A = A*A' + eye(5); b = (1:5)'; x = zeros(5, 1);
for k = 1:1500, x = x - 0.02*(A*x - b); end
r = sum(x);
end
