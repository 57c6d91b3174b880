A = reshape(1:24, 2, 3, 4);
disp(A(2, 5));
disp(size(A(:, :)));
disp(A(1, end));
