A = reshape(1:8, 2, 2, 2); k = {2, 1, 2};
disp(A(k{:}));
k = {':', 1}; B = magic(3); disp(B(k{:})');
