function y = smf(x, p)
% y = smf(x, [a b]): an S-shaped curve of parabolas from 0 at a to 1 at b.
[a, b] = deal(p(1), p(2));
if a >= b, y = double(x >= (a + b)/2); return, end
y = zeros(size(x));
low = x > a & x <= (a + b)/2;
high = x > (a + b)/2 & x <= b;
y(low) = 2*((x(low) - a)/(b - a)).^2;
y(high) = 1 - 2*((b - x(high))/(b - a)).^2;
y(x > b) = 1;
end
