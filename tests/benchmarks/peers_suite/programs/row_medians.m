% Sorted rows: medians and interquartile ranges of n samples of 4,096.
X = single(reshape(mod((1:n*4096)' * 0.6180339887498949, 1).^2, 4096, n));
%% Work
S = sort(X);
m = (S(2048, :) + S(2049, :)) / 2;
q = S(3072, :) - S(1024, :);
result = mean(m) + mean(q);
