A = magic(2);
try, A(7) = 1; catch, disp('ambiguous'), end
disp(size(A));
