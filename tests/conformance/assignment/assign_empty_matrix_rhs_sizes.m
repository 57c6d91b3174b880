A = zeros(2, 3);
A(:, []) = zeros(2, 0); disp(size(A));
A([]) = []; disp(size(A));
