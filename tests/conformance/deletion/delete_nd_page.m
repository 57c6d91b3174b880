A = reshape(1:12, 2, 3, 2);
A(:, :, 1) = []; disp(size(A)); disp(A);
