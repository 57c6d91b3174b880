% Standardised columns and their correlations: n rows, 512 columns.
X = single(reshape(mod((1:n*512)' * 0.6180339887498949, 1) + 0.1 * cos((1:n*512)' / 3), n, 512));
%% Work
Z = (X - mean(X)) ./ std(X);
R = Z' * Z / (n - 1);
result = sum(abs(R(:))) / 512;
