% Sparse regression by soft thresholding: n rows, 1,024 columns, 50 steps.
A = single(reshape(mod((1:n*1024)' * 0.6180339887498949, 1) - 0.5, n, 1024));
b = single(mod((1:n)' * 0.7548776662466927, 1) - 0.5);
t = 1 / (norm(A, 1) * norm(A, inf));
%% Work
x = zeros(1024, 1, 'single');
for k = 1:50
    g = x - t * (A' * (A * x - b));
    x = sign(g) .* max(abs(g) - 0.1 * t, 0);
end
result = norm(A * x - b);
