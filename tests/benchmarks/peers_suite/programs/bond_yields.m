% Yields of n bonds from their prices, by Newton's method to a tolerance.
coupon = single(2 + 6 * mod((1:n)' * 0.6180339887498949, 1));
price = single(85 + 30 * mod((1:n)' * 0.7548776662466927, 1));
years = 10;
%% Work
y = 0.05 * ones(n, 1, 'single');
step = inf;
while step > 1e-5
    value = 100 * (1 + y).^(-years);
    slope = -years * value ./ (1 + y);
    for t = 1:years
        d = coupon .* (1 + y).^(-t);
        value = value + d;
        slope = slope - t * d ./ (1 + y);
    end
    change = (value - price) ./ slope;
    y = y - change;
    step = max(abs(change));
end
result = mean(y);
