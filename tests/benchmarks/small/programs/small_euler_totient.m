function r = small_euler_totient()
r = 0; for n = 1:300, c = 0; for k = 1:n, if gcd(k, n) == 1, c = c + 1; end, end, r = r + c; end
end
