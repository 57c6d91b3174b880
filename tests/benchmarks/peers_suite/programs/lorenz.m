% n Lorenz systems, 200 steps of Runge and Kutta, right-hand side as a handle.
x0 = single(mod((1:n)' * 0.6180339887498949, 1)); y0 = x0 + 1; z0 = x0 + 20;
lorenz = @(x, y, z) deal(10 * (y - x), x .* (28 - z) - y, x .* y - 8/3 * z);
%% Work
x = x0; y = y0; z = z0; h = single(0.005);
for k = 1:200
    [a1, b1, c1] = lorenz(x, y, z);
    [a2, b2, c2] = lorenz(x + h/2*a1, y + h/2*b1, z + h/2*c1);
    [a3, b3, c3] = lorenz(x + h/2*a2, y + h/2*b2, z + h/2*c2);
    [a4, b4, c4] = lorenz(x + h*a3, y + h*b3, z + h*c3);
    x = x + h/6 * (a1 + 2*a2 + 2*a3 + a4);
    y = y + h/6 * (b1 + 2*b2 + 2*b3 + b4);
    z = z + h/6 * (c1 + 2*c2 + 2*c3 + c4);
end
result = mean(z);
