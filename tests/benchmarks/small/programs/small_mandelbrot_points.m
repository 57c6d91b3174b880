function r = small_mandelbrot_points()
r = 0;
for a = -2:0.1:0.5, for b = -1:0.1:1
z = 0; c = a + 1i*b; k = 0; while abs(z) < 2 && k < 40, z = z^2 + c; k = k + 1; end, r = r + k;
end, end
end
