% The set of Mandelbrot on an n x n grid of complex numbers, 100 steps.
[X, Y] = meshgrid(linspace(single(-2), single(1), n), linspace(single(-1.5), single(1.5), n));
C = complex(X, Y);
%% Work
z = zeros(n, 'like', C);
count = zeros(n, 'single');
for k = 1:100
    z = z.^2 + C;
    in = abs(z) <= 2;
    count = count + in;
    z(~in) = 3;
end
result = mean(count(:));
