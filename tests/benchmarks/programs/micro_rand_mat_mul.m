function r = micro_rand_mat_mul(n)
% The product of two random matrices.
    c = rand(n) * rand(n);
    m = mean(c(:)) / n;
    if abs(m - 0.25) > 0.01
        error('bench:mean', 'Implausible mean.');
    end
    r = 1;
end
