function r = small_perfect_numbers()
r = 0; for n = 2:600, s = 1; for d = 2:floor(n/2), if mod(n, d) == 0, s = s + d; end, end, if s == n, r = r + n; end, end
end
