%% A tour of the plots
% Run it, or run one section at a time with Ctrl+Enter. Large arrays are computed on the
% device and drawn from there: the badge below each figure says how many bytes had to move.

%% Lines
t = linspace(0, 4 * pi, 500);
figure(1);
plot(t, sin(t), t, sin(t) .* exp(-t / 6), '--', 'LineWidth', 1.5);
hold on;
yline(0, ':');
hold off;
legend('sin t', 'sin t e^{-t/6}', 'Location', 'northeast');
xlabel('t');
ylabel('amplitude');
title('Two lines');
grid on;

%% A surface
[U, V] = meshgrid(linspace(-3, 3, 60));
W = 3 * (1 - U) .^ 2 .* exp(-U .^ 2 - (V + 1) .^ 2) ...
    - 10 * (U / 5 - U .^ 3 - V .^ 5) .* exp(-U .^ 2 - V .^ 2) ...
    - exp(-(U + 1) .^ 2 - V .^ 2) / 3;
figure(2);
surf(U, V, W);
xlabel('u');
ylabel('v');
zlabel('w');
title('Drag to turn it');

%% Several axes in one figure
figure(3);
subplot(2, 2, 1);
bar([3 1 4 1 5 9]);
title('bar');
subplot(2, 2, 2);
histogram(randn(1, 2000));
title('histogram');
subplot(2, 2, 3);
contourf(U(1, :), V(:, 1), W, 8);
title('contourf');
subplot(2, 2, 4);
semilogy(1:50, exp(-(1:50) / 4), 'o-', 1:50, 1 ./ (1:50) .^ 2, 's-');
legend('exponential', 'quadratic', 'Location', 'southwest');
title('semilogy');
grid on;

%% An image
[X, Y] = meshgrid(linspace(-3, 3, 800), linspace(-3, 3, 600));
Z = exp(-X .^ 2 - Y .^ 2) .* cos(3 * X) + 0.3 * sin(2 * Y);
figure(4);
imagesc([-3 3], [-3 3], Z);
axis image;
colorbar;
title('A field');

%% A cloud of half a million points
a = randn(5e5, 1);
b = 0.6 * a + 0.8 * randn(5e5, 1);
figure(5);
scatter(a, b, 4, 'filled');
axis equal;
title('Density of half a million points');

%% Two million points, drawn from the device
n = 2e6;
phase = (1:n)' / 4e4;
signal = single(sin(phase) .* exp(-phase / 25) + 0.05 * randn(n, 1));
figure(6);
plot(signal);
title('Two million points');
xlabel('sample');
