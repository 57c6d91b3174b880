% Ten rounds of Lloyd's algorithm: n points of 16 dimensions, 64 centres.
X = single(reshape(mod((1:n*16)' * 0.6180339887498949, 1), n, 16));
%% Work
k = 64;
C = X(1:k, :);
for step = 1:10
    D = sum(X.^2, 2) + sum(C.^2, 2)' - 2 * X * C';
    [d, label] = min(D, [], 2);
    counts = accumarray(label, 1, [k 1]);
    for j = 1:16
        C(:, j) = accumarray(label, X(:, j), [k 1]) ./ max(counts, 1);
    end
end
result = mean(sqrt(max(d, 0)));
