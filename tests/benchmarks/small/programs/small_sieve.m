function r = small_sieve()
n = 20000; s = true(1, n); s(1) = false;
for k = 2:floor(sqrt(n)), if s(k), s(k*k:k:n) = false; end, end
r = sum(find(s));
end
