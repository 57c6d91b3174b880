%% A long chain of elementwise maths is one kernel
% No intermediate array exists: neither in host memory nor on the device.

n = 5e6;
x = rand(n, 1, 'single');
a = sin(x) .* x + 0.5;
b = exp(-a .^ 2) ./ (1 + abs(a));
c = sqrt(b + 1) - log1p(b);
d = max(c, 0.25) .* (x > 0.5) + min(a, 1) .* (x <= 0.5);
total = sum(d, 'all');
fprintf('sum of %d values: %.4f\n', n, total);

%% In double precision, too
x = rand(n, 1);
y = tanh(x) + x .^ 3 - 2 * x;
fprintf('largest %.12f, smallest %.12f\n', max(y), min(y));
