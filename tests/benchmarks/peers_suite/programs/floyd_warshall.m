% Shortest paths between all pairs of n places.
D0 = single(reshape(1 + 99 * mod((1:n*n)' * 0.6180339887498949, 1), n, n));
D0(1:n+1:end) = 0;
%% Work
D = D0;
for k = 1:n
    D = min(D, D(:, k) + D(k, :));
end
result = sum(D(:)) / n;
