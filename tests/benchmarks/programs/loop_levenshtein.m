function r = loop_levenshtein(n)
% The edit distance of two texts, by the table.
    s = char(97 + mod((1:n) .* (1:n) * 7, 26));
    t = char(97 + mod((1:n) * 11 + 3, 26));
    d = zeros(n + 1, n + 1);
    for i = 1:n+1
        d(i, 1) = i - 1;
        d(1, i) = i - 1;
    end
    for j = 2:n+1
        for i = 2:n+1
            if s(i - 1) == t(j - 1)
                cost = 0;
            else
                cost = 1;
            end
            best = d(i - 1, j) + 1;
            if d(i, j - 1) + 1 < best
                best = d(i, j - 1) + 1;
            end
            if d(i - 1, j - 1) + cost < best
                best = d(i - 1, j - 1) + cost;
            end
            d(i, j) = best;
        end
    end
    r = d(n + 1, n + 1);
end
