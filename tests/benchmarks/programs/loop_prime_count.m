function r = loop_prime_count(n)
% Primes up to n by trial division.
    r = 0;
    for k = 2:n
        prime = true;
        d = 2;
        while d * d <= k
            if mod(k, d) == 0
                prime = false;
                break
            end
            d = d + 1;
        end
        if prime
            r = r + 1;
        end
    end
end
