% Largest loss from a peak of n strategies over 2,048 days.
days = 2048;
returns = single(reshape(0.02 * (mod((1:days*n)' * 0.6180339887498949, 1) - 0.49), days, n));
%% Work
wealth = cumprod(1 + returns);
peak = cummax(wealth);
loss = 1 - wealth ./ peak;
result = mean(max(loss)) + mean(wealth(end, :));
