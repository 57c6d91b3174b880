function r = small_dfs_recursive()
n = 50; A = zeros(n); for i = 1:n, A(i, [mod(i*3, n)+1, mod(i*5, n)+1]) = 1; end
r = sum(visit(1, A, false(1, n)));
end
function seen = visit(v, A, seen)
seen(v) = true;
for w = find(A(v, :)), if ~seen(w), seen = visit(w, A, seen); end, end
end
