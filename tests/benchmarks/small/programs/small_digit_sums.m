function r = small_digit_sums()
r = 0; for k = 1:3000, n = k; while n > 0, r = r + mod(n, 10); n = floor(n/10); end, end
end
