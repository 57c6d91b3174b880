global A B
disp(size(A)); A = 1; B = 2; clear global A; disp(exist('A'));
