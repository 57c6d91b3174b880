function r = small_bubble_sort()
x = mod((1:150)*7919, 1009);
for a = 1:numel(x), for b = 1:numel(x)-a, if x(b) > x(b+1), t = x(b); x(b) = x(b+1); x(b+1) = t; end, end, end
r = sum(x .* (1:150));
end
