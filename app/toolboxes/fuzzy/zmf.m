function y = zmf(x, p)
% y = zmf(x, [a b]): a Z-shaped curve of parabolas from 1 at a to 0 at b.
[a, b] = deal(p(1), p(2));
if a >= b, y = double(x <= (a + b)/2); return, end
y = 1 - smf(x, p);
end
