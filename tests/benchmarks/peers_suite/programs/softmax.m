% Softmax over 1,024 classes for n samples, and the mean entropy.
X = single(reshape(4 * mod((1:n*1024)' * 0.6180339887498949, 1), 1024, n));
%% Work
E = exp(X - max(X));
P = E ./ sum(E);
result = -mean(sum(P .* log(P + 1e-12)));
