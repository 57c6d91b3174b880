function r = small_gcd_table()
r = 0;
for a = 1:80, for b = 1:80, x = a; y = b; while y > 0, t = mod(x, y); x = y; y = t; end, r = r + x; end, end
end
