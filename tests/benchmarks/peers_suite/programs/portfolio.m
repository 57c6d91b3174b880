% Covariance of 1,024 assets over n days and the variance of 64 portfolios.
assets = 1024;
R = single(reshape(mod((1:n*assets)' * 0.6180339887498949, 1) + 0.3 * sin((1:n*assets)' / 50), n, assets));
W = single(reshape(mod((1:assets*64)' * 0.7548776662466927, 1), assets, 64));
%% Work
C = cov(R);
W = W ./ sum(W);
risk = sqrt(sum(W .* (C * W)));
result = sum(risk);
