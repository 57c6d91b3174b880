% oracle: what linear deletion leaves of a matrix is a row
A = magic(3);
A([2 4]) = []; disp(size(A));
c = (1:4)'; c(2) = []; disp(size(c));
