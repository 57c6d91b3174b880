% Logistic regression by gradient descent: n rows of 128 features, 100 steps.
X = single(reshape(mod((1:n*128)' * 0.6180339887498949, 1) - 0.5, n, 128));
y = single(mod((1:n)' * 0.7548776662466927, 1) > 0.5);
%% Work
w = zeros(128, 1, 'single');
rate = 0.5;
for step = 1:100
    p = 1 ./ (1 + exp(-X * w));
    w = w - rate / n * (X' * (p - y));
end
result = norm(w);
