%% A tour of the plots

%% Lines
t = linspace(0, 4 * pi, 500);
figure(1);
plot(t, sin(t), 'b-', t, cos(t), 'r--');
legend('sin', 'cos');
xlabel('t');
ylabel('value');
title('Two lines');
grid on;

%% A million points, drawn from the device
n = 1e6;
phase = (1:n)' / 2e4;
signal = single(sin(phase) .* exp(-phase / 25));
figure(2);
plot(signal);
title('One million points');

%% An image
[X, Y] = meshgrid(linspace(-3, 3, 400), linspace(-3, 3, 300));
Z = exp(-X .^ 2 - Y .^ 2) .* cos(3 * X) + 0.3 * sin(2 * Y);
figure(3);
imagesc(Z);
colorbar;
axis equal;
title('A field');

%% Several axes in one figure
figure(4);
subplot(2, 2, 1);
bar([3 1 4 1 5 9]);
title('bar');
subplot(2, 2, 2);
histogram(randn(1, 2000));
title('histogram');
subplot(2, 2, 3);
scatter(rand(1, 200), rand(1, 200), 20, 'filled');
title('scatter');
subplot(2, 2, 4);
stairs(0:10, mod((0:10) .^ 2, 7));
title('stairs');
