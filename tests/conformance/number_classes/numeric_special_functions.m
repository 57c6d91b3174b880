sign([-2 0 3]), hypot(3, 4), exp(0), log10(1000), log2(8), nthroot(27, 3), cbrt(8), gamma(5), erf(0), sum(primes(10)), power(2, 3), times(2, 3), mtimes([1 2], [3; 4]), rdivide(6, 3), minus(5, 2)
