function jumps = ppjumps(pp)
% jumps = ppjumps(pp): the jumps of a piecewise polynomial at its inner breaks (Octave's).
[x, P, n, k, d] = unmkpp(pp);
nd = prod(d);
P = reshape(P, nd, n, k);
h = reshape(diff(x(1:n)), 1, n - 1);
left = P(:, 1:n-1, 1);
for j = 2:k
    left = left .* h + P(:, 1:n-1, j);
end
jumps = reshape(P(:, 2:n, k) - left, [d, n - 1]);
end
