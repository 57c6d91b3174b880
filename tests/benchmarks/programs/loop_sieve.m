function r = loop_sieve(n)
% Primes below n by crossing out multiples.
    prime = true(1, n);
    prime(1) = false;
    i = 2;
    while i * i <= n
        if prime(i)
            for k = i*i:i:n
                prime(k) = false;
            end
        end
        i = i + 1;
    end
    r = 0;
    for i = 1:n
        if prime(i)
            r = r + 1;
        end
    end
end
