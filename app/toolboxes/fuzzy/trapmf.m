function y = trapmf(x, p)
% y = trapmf(x, [a b c d]): 0 outside a and d, 1 from b to c, straight between.
if p(1) > p(2) || p(3) > p(4), error('fuzzy:trapmf:InvalidParameters', 'The parameters must fulfil a <= b and c <= d.'); end
y = max(min(min(slope(x, p(1), p(2)), slope(-x, -p(4), -p(3))), 1), 0);
end

function y = slope(x, a, b)
if a == b, y = double(x >= b); else, y = (x - a)/(b - a); end
end
