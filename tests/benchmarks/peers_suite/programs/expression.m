% Welch's test for n genes in two groups of 500 samples.
A = single(reshape(mod((1:n*500)' * 0.6180339887498949, 1), 500, n));
B = single(reshape(mod((1:n*500)' * 0.7548776662466927, 1) + 0.02, 500, n));
%% Work
t = (mean(A) - mean(B)) ./ sqrt(var(A) / 500 + var(B) / 500);
result = mean(abs(t)) + sum(abs(t) > 2) / n;
