function r = struct_fields(n)
% Fields of a scalar struct updated in a loop.
    s.count = 0;
    s.inner.total = 0;
    for i = 1:n
        s.count = s.count + 1;
        s.inner.total = s.inner.total + i;
    end
    r = s.count + s.inner.total;
end
