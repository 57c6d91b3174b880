% oracle: sum over several dimensions
A = reshape(1:8, 2, 2, 2); sum(A, [1 2])(:)', prod(A, 3), any(A(:) > 7), squeeze(max(max(A)))', cumsum(A, 3)(:, :, 2)
