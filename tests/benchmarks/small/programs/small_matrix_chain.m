function r = small_matrix_chain()
d = mod((1:26)*7, 19) + 1; n = 25; m = zeros(n); for l = 2:n, for i = 1:n-l+1, j = i + l - 1; m(i,j) = Inf; for k = i:j-1, c = m(i,k) + m(k+1,j) + d(i)*d(k+1)*d(j+1); if c < m(i,j), m(i,j) = c; end, end, end, end
r = m(1,n);
end
