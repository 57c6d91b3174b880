function r = small_primes_by_trial()
r = 0; for n = 2:3000, p = true; for d = 2:floor(sqrt(n)), if mod(n, d) == 0, p = false; break, end, end, r = r + n*p; end
end
