function r = small_bisection()
f = @(x) cos(x) - x; r = 0;
for s = 1:200, a = 0; b = 1 + s/1000; while b - a > 1e-9, m = (a + b)/2; if f(a)*f(m) <= 0, b = m; else, a = m; end, end, r = r + a; end
end
