function r = small_weekday_counts()
counts = zeros(1, 7);
for year = 1990:1999
    for month = 1:12
        d = datenum(year, month, 13); w = mod(d - 1, 7); w = floor(w) + 1; counts(w) = counts(w) + 1;
    end
end
r = sum(counts .* (1:7).^2);
end
