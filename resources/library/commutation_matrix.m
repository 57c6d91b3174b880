function K = commutation_matrix(m, n)
% K = commutation_matrix(m, n): the matrix with K*A(:) = A.'(:) for an m-by-n matrix A (Octave's).
if nargin < 2
    n = m;
end
if ~isscalar(m) || m ~= fix(m) || m < 1 || ~isscalar(n) || n ~= fix(n) || n < 1
    error('commutation_matrix:invalidSize', 'The sizes must be positive integers.');
end
places = reshape(1:m*n, m, n).';
K = zeros(m*n);
K(sub2ind([m*n m*n], (1:m*n)', places(:))) = 1;
end
