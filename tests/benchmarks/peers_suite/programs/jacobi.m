% Poisson's equation by Jacobi's method until the change is small.
b = single(sin(linspace(0, pi, n)' * 3) * sin(linspace(0, pi, n) * 2));
%% Work
u = zeros(n, 'single');
change = 1; steps = 0;
while change > 2e-3 && steps < 500
    old = u;
    u(2:end-1, 2:end-1) = 0.25 * (old(1:end-2, 2:end-1) + old(3:end, 2:end-1) ...
        + old(2:end-1, 1:end-2) + old(2:end-1, 3:end) + b(2:end-1, 2:end-1));
    change = max(abs(u(:) - old(:)));
    steps = steps + 1;
end
result = sum(abs(u(:))) / n;
