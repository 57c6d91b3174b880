% Gaussian blur and an unsharp mask.
A = single(reshape(mod((1:n*n)' * 0.6180339887498949, 1), n, n));
%% Work
t = -7:7;
h = exp(-t.^2 / (2 * 2.5^2));
h = h / sum(h);
B = conv2(h, h, A, 'same');
S = A + 0.7 * (A - B);
S = min(max(S, 0), 1);
result = mean(S(:).^2);
