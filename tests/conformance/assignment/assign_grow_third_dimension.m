A = [1 2; 3 4];
A(:, :, 2) = [5 6; 7 8];
disp(size(A)); disp(A(:)');
A(1, 1, 4) = 1; disp(size(A)); disp(sum(A(:)));
