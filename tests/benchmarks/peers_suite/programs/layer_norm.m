% Layer normalisation and GELU over 2,048 features of n samples.
X = single(reshape(mod((1:n*2048)' * 0.6180339887498949, 1), 2048, n));
g = single(0.5 + (1:2048)' / 2048);
%% Work
mu = mean(X);
v = var(X, 1);
Y = (X - mu) ./ sqrt(v + 1e-5) .* g + 0.1;
Y = 0.5 * Y .* (1 + erf(Y / sqrt(2)));
result = mean(Y(:));
