A = reshape(1:24, 2, 3, 4); A(:, :, 2) = []; size(A), A(1, 2, 3), squeeze(A(2, 3, :))', sum(A(:, :, end)(:))
