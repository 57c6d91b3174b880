% oracle: diagonal matrices are ordinary
zeros(2), ones(1, 3), eye(2), diag([1 2]), diag([1 2; 3 4])', repmat([1 2], 2, 2), linspace(0, 1, 3), reshape(1:6, [], 2), kron([1 2], [1; 1]), toeplitz([1 2 3]), vander([1 2 3]), hilb(2)
