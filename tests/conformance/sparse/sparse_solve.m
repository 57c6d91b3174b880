A = sparse([4 1; 1 3]); x = A \ [1; 2]; disp(norm(full(A) * x - [1; 2]) < 1e-12); disp(full(A(1, :)));
