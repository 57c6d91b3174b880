function r = indexed_store(n)
% Elements written and read one by one.
    x = zeros(1, n);
    for i = 1:n
        x(i) = i ^ 2;
    end
    r = 0;
    for i = 1:n
        r = r + x(i);
    end
end
