function r = small_longest_increasing()
x = mod((1:250)*7919, 1009); l = ones(1, 250); for i = 2:250, for j = 1:i-1, if x(j) < x(i) && l(j) + 1 > l(i), l(i) = l(j) + 1; end, end, end
r = max(l);
end
