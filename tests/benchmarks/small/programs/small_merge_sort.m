function r = small_merge_sort()
x = msort(mod((1:300)*7919, 1009)); r = sum(x .* (1:300));
end
function y = msort(x)
n = numel(x); if n < 2, y = x; return, end
h = floor(n/2); a = msort(x(1:h)); b = msort(x(h+1:end)); y = zeros(1, n); i = 1; j = 1;
for k = 1:n
if j > numel(b) || (i <= numel(a) && a(i) <= b(j)), y(k) = a(i); i = i + 1; else, y(k) = b(j); j = j + 1; end
end
end
