function v = ind2vec(i, n)
% v = ind2vec(i, n): a sparse matrix whose columns have a one in the rows i.
if nargin < 2, n = max(i); end
v = sparse(i, 1:numel(i), 1, n, numel(i));
end
