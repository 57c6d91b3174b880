function r = small_newton_system()
f = @(x) [x(1)^2 + x(2)^2 - 4; x(1)*x(2) - 1]; J = @(x) [2*x(1) 2*x(2); x(2) x(1)]; r = 0;
for s = 1:20
    x = [1.5 + s/50; 0.4];
    for k = 1:12, d = J(x) \ -f(x); x = x + d; if norm(d) < 1e-12, break, end, end
    r = r + x(1);
end
end
