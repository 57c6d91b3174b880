function r = micro_rand_mat_stat(n)
% Statistics of traces of products of small random matrices.
    v = zeros(1, n);
    w = zeros(1, n);
    for i = 1:n
        a = randn(5);
        b = randn(5);
        c = randn(5);
        d = randn(5);
        p = [a b c d];
        q = [a b; c d];
        v(i) = trace((p.' * p) ^ 4);
        w(i) = trace((q.' * q) ^ 4);
    end
    s1 = std(v) / mean(v);
    s2 = std(w) / mean(w);
    if ~(s1 > 0.3 && s1 < 1.7 && s2 > 0.3 && s2 < 1.7)
        error('bench:spread', 'Implausible spread.');
    end
    r = 1;
end
