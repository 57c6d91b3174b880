% Principal components of n rows of 256 features.
X = single(reshape(mod((1:n*256)' * 0.6180339887498949, 1) + 0.2 * sin((1:n*256)' / 9), n, 256));
%% Work
Z = X - mean(X);
C = Z' * Z / (n - 1);
[V, L] = eig(double(C + C') / 2);
top = V(:, end-7:end);
T = Z * single(top);
result = sum(var(T));
