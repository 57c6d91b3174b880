function r = small_prim()
n = 30; W = mod((1:n)' * (1:n) * 37, 101) + 1; W = W + W'; W(1:n+1:end) = Inf;
in = false(1, n); in(1) = true; r = 0;
while ~all(in)
    S = W(in, ~in); [m, k] = min(S(:)); [~, j] = ind2sub(size(S), k);
    out = find(~in); in(out(j)) = true; r = r + m;
end
end
