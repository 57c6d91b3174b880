function r = small_secant_method()
f = @(x) exp(x) - 3*x; r = 0; for s = 1:200, a = 0; b = 0.5 + s/1000; for k = 1:8, if f(b) == f(a), break, end, c = b - f(b)*(b - a)/(f(b) - f(a)); a = b; b = c; end, r = r + b; end
end
