% Values cleaned by masks, as people write it.
x = single(2 * mod((1:n)' * 0.6180339887498949, 1) - 1);
%% Work
y = x;
y(y < 0) = 0;
high = y > 0.8;
y(high) = 0.8 + log(1 + y(high) - 0.8);
z = y(y > 0.5);
result = mean(z) + mean(y);
