%% A bank of exponential moving averages
% Each row is one channel with its own state; the loop over time becomes one
% kernel that keeps every state in a register.

channels = 20000;
samples = 200;

rng(3);
x = rand(channels, samples, 'single');
y = zeros(channels, samples, 'single');
alpha = single(0.1);

state = zeros(channels, 1, 'single');
for t = 1:samples
    state = (1 - alpha) * state + alpha * x(:, t);
    y(:, t) = state;
end

fprintf('mean of the input %.4f, of the last output %.4f\n', mean(x, 'all'), mean(state, 'all'));

%% One channel before and after
plot(1:samples, x(1, :), 1:samples, y(1, :));
legend('input', 'filtered');
xlabel('sample');
title('channel 1');
