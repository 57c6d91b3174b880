% Statistics and contrast of a stack of n pictures of 1,024 x 1,024.
P = reshape(single(mod((1:n*1024*1024)' * 0.6180339887498949, 1)), 1024, 1024, n);
%% Work
mu = mean(P, [1 2]);
sd = sqrt(mean((P - mu).^2, [1 2]) + 1e-6);
Q = (P - mu) ./ sd;
Q = max(1.01 * Q - 0.02, 0) .^ 1.8;
result = mean((Q - P).^2, 'all');
