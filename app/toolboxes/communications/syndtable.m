function t = syndtable(h)
% t = syndtable(h): for each syndrome of a parity check matrix the error with fewest bits, in rows.
[m, n] = size(h);
t = zeros(2^m, n);
done = [true; false(2^m - 1, 1)];
weights = 2.^(m - 1:-1:0);
for count = 1:n
    if all(done), break, end
    choices = nchoosek(1:n, count);
    for c = 1:size(choices, 1)
        s = weights*mod(sum(h(:, choices(c, :)), 2), 2) + 1;
        if ~done(s)
            t(s, choices(c, :)) = 1;
            done(s) = true;
        end
    end
end
end
