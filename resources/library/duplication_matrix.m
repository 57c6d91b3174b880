function D = duplication_matrix(n)
% D = duplication_matrix(n): the matrix with D*vech(A) = A(:) for symmetric n-by-n matrices (Octave's).
if ~isscalar(n) || n ~= fix(n) || n < 1
    error('duplication_matrix:invalidSize', 'The size must be a positive integer.');
end
[row, column] = find(tril(ones(n)));
k = (1:numel(row))';
D = zeros(n^2, numel(row));
D(sub2ind(size(D), row + (column - 1)*n, k)) = 1;
D(sub2ind(size(D), column + (row - 1)*n, k)) = 1;
end
