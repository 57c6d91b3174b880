function y = xyz2lab(x)
% y = xyz2lab(x): CIE 1976 L*a*b* of XYZ, for the white point D65.
shape = size(x);
x = reshape(im2double(x), [], 3)./[0.95047 1 1.08883];
low = x <= 216/24389;
f = zeros(size(x));
f(~low) = nthroot(x(~low), 3);
f(low) = (24389/27*x(low) + 16)/116;
y = reshape([116*f(:, 2) - 16, 500*(f(:, 1) - f(:, 2)), 200*(f(:, 2) - f(:, 3))], shape);
end
