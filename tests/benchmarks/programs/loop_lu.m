function r = loop_lu(n)
% Gaussian elimination with partial pivoting, element by element; the log of the determinant.
    A = zeros(n);
    for i = 1:n
        for j = 1:n
            A(i, j) = mod(i * 31 + j * 17 + i * j * 7, 101) / 101;
        end
        A(i, i) = A(i, i) + 2;
    end
    r = 0;
    for k = 1:n
        p = k;
        for i = k+1:n
            if abs(A(i, k)) > abs(A(p, k))
                p = i;
            end
        end
        if p ~= k
            for j = 1:n
                t = A(k, j);
                A(k, j) = A(p, j);
                A(p, j) = t;
            end
        end
        for i = k+1:n
            f = A(i, k) / A(k, k);
            A(i, k) = f;
            for j = k+1:n
                A(i, j) = A(i, j) - f * A(k, j);
            end
        end
        r = r + log(abs(A(k, k)));
    end
end
