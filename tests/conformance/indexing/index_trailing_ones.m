A = magic(3);
disp(A(2, 3, 1));
disp(size(A(:, :, 1)));
disp(A(2, 1, 1, 1));
