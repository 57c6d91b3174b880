function r = triple_loop(n)
% Elements of a matrix updated in three nested loops.
    A = zeros(n);
    for i = 1:n
        for j = 1:n
            for k = 1:n
                A(i, j) = A(i, j) + i * k;
            end
        end
    end
    r = sum(A(:));
end
