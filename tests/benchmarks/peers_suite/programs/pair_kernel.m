% Gaussian kernel between all pairs of n points and a smooth of their values.
P = single(reshape(mod((1:n*4)' * 0.6180339887498949, 1), n, 4));
f = single(mod((1:n)' * 0.7548776662466927, 1));
%% Work
q = sum(P.^2, 2);
D = q + q' - 2 * (P * P');
K = exp(-max(D, 0) / 0.02);
s = (K * f) ./ sum(K, 2);
result = mean((s - f).^2);
