% Arithmetic Asian call by Monte Carlo: 64 dates, n paths.
rng(7);
market = struct('spot', 100, 'rate', 0.03, 'vol', 0.2, 'years', 1, 'dates', 64);
%% Work
dt = market.years / market.dates;
s = market.spot * ones(n, 1, 'single');
total = zeros(n, 1, 'single');
for k = 1:market.dates
    z = randn(n, 1, 'single');
    s = s .* exp((market.rate - market.vol^2 / 2) * dt + market.vol * sqrt(dt) * z);
    total = total + s;
end
payoff = max(total / market.dates - 100, 0);
result = exp(-market.rate * market.years) * mean(payoff);
