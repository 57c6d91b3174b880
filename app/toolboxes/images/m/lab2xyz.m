function y = lab2xyz(x)
% y = lab2xyz(x): XYZ of CIE 1976 L*a*b*, for the white point D65.
shape = size(x);
x = reshape(double(x), [], 3);
fy = (x(:, 1) + 16)/116;
f = [fy + x(:, 2)/500, fy, fy - x(:, 3)/200];
y = f.^3;
low = y <= 216/24389;
y(low) = (116*f(low) - 16)*27/24389;
y = reshape(y.*[0.95047 1 1.08883], shape);
end
