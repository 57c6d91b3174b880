function r = small_levenshtein_cells()
words = {'kitten', 'sitting', 'saturday', 'sunday', 'rosettacode', 'raisethysword'}; r = 0;
for i = 1:numel(words), for j = i+1:numel(words), r = r + lev(words{i}, words{j}); end, end
end
function d = lev(a, b)
p = 0:numel(b);
for i = 1:numel(a)
    c = i;
    for j = 1:numel(b), c(j+1) = min([p(j+1) + 1, c(j) + 1, p(j) + (a(i) ~= b(j))]); end
    p = c;
end
d = p(end);
end
