function r = small_matrix_powers()
A = [1 1; 1 0]; B = eye(2); for k = 1:60, B = B*A; end
r = B(1,2);
end
