% Turn a picture by 17 degrees, with bilinear interpolation.
A = single(reshape(mod((1:n*n)' * 0.6180339887498949, 1), n, n));
%% Work
a = 17 * pi / 180;
c = (n + 1) / 2;
[X, Y] = meshgrid(single(1:n) - c, single(1:n) - c);
xs = cos(a) * X + sin(a) * Y + c;
ys = -sin(a) * X + cos(a) * Y + c;
B = interp2(A, xs, ys, 'linear', 0);
result = mean(B(:));
