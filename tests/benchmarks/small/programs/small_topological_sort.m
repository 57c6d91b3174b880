function r = small_topological_sort()
n = 40; A = zeros(n); for i = 1:n, for j = i+1:n, if mod(i*7 + j*3, 11) == 0, A(i, j) = 1; end, end, end
deg = sum(A, 1); S = find(deg == 0); order = [];
while ~isempty(S)
    v = S(end); S(end) = []; order(end+1) = v;
    for w = find(A(v, :)), deg(w) = deg(w) - 1; if deg(w) == 0, S(end+1) = w; end, end
end
r = sum(order .* (1:n));
end
