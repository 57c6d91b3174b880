function r = small_interval_merge()
n = 40; a = mod((1:n)' * 37, 101); v = sortrows([a, a + mod((1:n)' * 11, 5)]); m = v(1, :);
for k = 2:n
    if v(k, 1) <= m(end, 2), m(end, 2) = max(m(end, 2), v(k, 2)); else, m = [m; v(k, :)]; end
end
r = sum(m(:, 2) - m(:, 1)) * 100 + size(m, 1);
end
