primes(20), isprime([2 4 7]), factor(60), gcd(12, 18), lcm(4, 6), factorial(5), nchoosek(5, 2), cross([1 0 0], [0 1 0]), dot([1 2 3], [4 5 6])
