% n leaky neurons over 1,000 steps, reset where they fire.
drive = single(1 + cos(9 * mod((1:n)' * 0.6180339887498949, 1)));
%% Work
v = zeros(n, 1, 'single'); spikes = v;
for t = 1:1000
    v = v + 0.05 * (drive - v);
    fired = v > 0.6;
    v(fired) = 0;
    spikes = spikes + fired;
end
result = mean(spikes);
