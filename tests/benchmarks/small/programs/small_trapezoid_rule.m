function r = small_trapezoid_rule()
f = @(x) exp(-x^2); r = 0; h = 1e-3;
for k = 0:1999, r = r + h*(f(k*h) + f((k+1)*h))/2; end
end
