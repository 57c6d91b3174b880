function r = micro_quicksort(n)
% Sorts numbers of a generator of its own by Hoare's partition, recursively.
    a = zeros(1, n);
    seed = 42;
    for i = 1:n
        seed = mod(seed * 16807, 2147483647);
        a(i) = seed / 2147483647;
    end
    a = sorted(a, 1, n);
    r = 0;
    for i = 1:n
        r = r + i * a(i);
    end
    if any(diff(a) < 0)
        error('bench:order', 'The result is not sorted.');
    end
end

function a = sorted(a, lo, hi)
    i = lo;
    j = hi;
    while i < hi
        pivot = a(floor((lo + hi) / 2));
        while i <= j
            while a(i) < pivot
                i = i + 1;
            end
            while a(j) > pivot
                j = j - 1;
            end
            if i <= j
                t = a(i);
                a(i) = a(j);
                a(j) = t;
                i = i + 1;
                j = j - 1;
            end
        end
        if lo < j
            a = sorted(a, lo, j);
        end
        lo = i;
        j = hi;
    end
end
