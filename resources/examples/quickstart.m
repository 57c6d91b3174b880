%% Quickstart: two lines of maths become one kernel
% Nothing here says "GPU". Run it (F5) and look at the Fusion, Kernels and
% Transfers panels to see what happened.

x = rand(1024, 1, 'single');
y = sin(x) .* x + 0.5;
m = mean(y, 'all');
fprintf('mean of %d values: %.6f\n', numel(y), m);

%% The same maths over four million values
n = 4e6;
x = rand(n, 1, 'single');
y = sin(x) .* x + 0.5;
m = mean(y, 'all');
fprintf('mean of %d values: %.6f\n', n, m);

%% A picture, drawn from where the data is
t = linspace(0, 20, 1e6);
plot(t, sin(t) .* exp(-t / 10));
title('a damped sine');
xlabel('t');
grid on;
