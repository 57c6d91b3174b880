% One sparse element is set as the number that it is.
S = sparse([1 2], [1 2], [3 4]);
for k = 1:2
    S(k, 1) = S(k, k) * S(2, 2);
end
disp(full(S))
S(1, 1) = sparse(1, 1);
disp(nnz(S))
S(:, 2) = sparse(6);
disp(full(S))
S(1, 3) = sparse(1i);
disp(full(S(1, :)))
L = S(:, 1:2) > 1;
L(1, 2) = sparse(0);
L(1, 1) = sparse(7);
disp(class(L))
disp(full(L))
try
    L(1, 2) = sparse(NaN);
catch problem
    disp(problem.message)
end
