% Confidence interval of a correlation by the bootstrap.
% Every pass draws its own sample: the interval depends on rng alone, not on who computes it.
rng(7)
n = 200;
x = randn(n, 1);
y = 0.6*x + 0.8*randn(n, 1);
passes = 2000;
r = zeros(passes, 1);
positive = 0;
parfor k = 1:passes
    pick = randi(n, n, 1);
    r(k) = correlation(x(pick), y(pick));
    positive = positive + (r(k) > 0);
end
r = sort(r);
fprintf('correlation %.3f, 95 %% of the samples between %.3f and %.3f\n', ...
    correlation(x, y), r(round(0.025*passes)), r(round(0.975*passes)))
fprintf('%d of %d samples have a positive one\n', positive, passes)

function c = correlation(a, b)
a = a - mean(a);
b = b - mean(b);
c = sum(a.*b)/sqrt(sum(a.^2)*sum(b.^2));
end
