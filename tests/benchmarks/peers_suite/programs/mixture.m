% One expectation step of a mixture of 32 normals in 8 dimensions, n points.
X = single(reshape(mod((1:n*8)' * 0.6180339887498949, 1), n, 8));
M = single(reshape(mod((1:32*8)' * 0.7548776662466927, 1), 32, 8));
%% Work
L = zeros(n, 32, 'single');
for j = 1:32
    L(:, j) = -0.5 * sum((X - M(j, :)).^2, 2) / 0.05 - log(32);
end
top = max(L, [], 2);
total = top + log(sum(exp(L - top), 2));
R = exp(L - total);
result = mean(total) + mean(R(:, 1));
