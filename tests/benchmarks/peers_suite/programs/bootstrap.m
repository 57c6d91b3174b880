% Spread of the mean over 200 resamples of n values.
rng(3);
x = single(mod((1:n)' * 0.6180339887498949, 1));
%% Work
m = zeros(200, 1);
for k = 1:200
    m(k) = mean(x(randi(n, n, 1)));
end
result = mean(m);
