A = ones(2, 3);
A(:, :) = []; disp(size(A));
B = ones(2, 3); B(:, 1:3) = []; disp(size(B));
C = ones(2, 3); C(:) = []; disp(size(C));
