function y = trimf(x, p)
% y = trimf(x, [a b c]): a triangle that is 0 at a and c and 1 at b.
if p(1) > p(2) || p(2) > p(3), error('fuzzy:trimf:InvalidParameters', 'The parameters must not fall: a <= b <= c.'); end
y = max(min(slope(x, p(1), p(2)), slope(-x, -p(3), -p(2))), 0);
y(x == p(2)) = 1;
end

function y = slope(x, a, b)
if a == b, y = double(x >= b); else, y = (x - a)/(b - a); end
end
