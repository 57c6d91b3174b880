function r = small_knapsack()
w = mod((1:30)*7, 13) + 1; v = mod((1:30)*11, 17) + 1; c = 100; b = zeros(1, c+1);
for k = 1:30, for j = c:-1:w(k), b(j+1) = max(b(j+1), b(j+1-w(k)) + v(k)); end, end
r = b(end);
end
