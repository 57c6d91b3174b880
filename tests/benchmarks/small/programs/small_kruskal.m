function r = small_kruskal()
n = 20; E = zeros(0, 3); for i = 1:n, for j = i+1:n, w = mod(i*37 + j*91, 101); if w < 40, E(end+1, :) = [i j w]; end, end, end
[~, o] = sort(E(:, 3)); E = E(o, :); parent = 1:n; r = 0;
for k = 1:size(E, 1)
    a = E(k, 1); while parent(a) ~= a, a = parent(a); end
    b = E(k, 2); while parent(b) ~= b, b = parent(b); end
    if a ~= b, parent(a) = b; r = r + E(k, 3); end
end
end
