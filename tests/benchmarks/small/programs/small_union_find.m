function r = small_union_find()
n = 300; p = 1:n; for k = 1:400, a = mod(k*7, n) + 1; b = mod(k*13, n) + 1; while p(a) ~= a, a = p(a); end, while p(b) ~= b, b = p(b); end, p(a) = b; end
r = sum(p == 1:n);
end
