function r = small_newton_root()
f = @(x) x^3 - 2*x - 5; g = @(x) 3*x^2 - 2; r = 0;
for s = 1:200, x = s/10; for k = 1:30, x = x - f(x)/g(x); end, r = r + x; end
end
