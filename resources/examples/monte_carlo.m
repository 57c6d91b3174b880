%% Monte Carlo: the price of an option
% Every path follows a geometric Brownian motion. The whole time loop is one
% kernel: each thread walks its own path, random numbers included.

S0 = 100;          % price today
K = 105;           % strike
r = 0.03;          % interest rate
sigma = 0.2;       % volatility
T = 1;             % years
paths = 2e5;
steps = 64;

rng(42);
dt = T / steps;
drift = (r - 0.5 * sigma^2) * dt;
scale = sigma * sqrt(dt);

tic;
S = S0 * ones(paths, 1, 'single');
for k = 1:steps
    S = S .* exp(drift + scale * randn(paths, 1, 'single'));
end
payoff = max(S - K, 0);
price = exp(-r * T) * mean(payoff, 'all');
seconds = toc;

%% Compare with the formula of Black and Scholes
d1 = (log(S0 / K) + (r + sigma^2 / 2) * T) / (sigma * sqrt(T));
d2 = d1 - sigma * sqrt(T);
normal = @(z) 0.5 * erfc(-z / sqrt(2));
exact = S0 * normal(d1) - K * exp(-r * T) * normal(d2);

fprintf('simulated %.4f, formula %.4f (%d paths)\n', price, exact, paths);
fprintf('%.1f million steps per second\n', paths * steps / seconds / 1e6);

%% The prices after one year, counted and drawn from the memory of the device
histogram(S, 80);
title('200 000 paths');
xlabel('price after one year');
ylabel('paths');
