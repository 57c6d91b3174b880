function r = small_collatz()
best = 0; r = 0;
for k = 1:2000
n = k; c = 0;
while n ~= 1, if mod(n, 2) == 0, n = n/2; else, n = 3*n + 1; end, c = c + 1; end
if c > best, best = c; r = k; end
end
end
