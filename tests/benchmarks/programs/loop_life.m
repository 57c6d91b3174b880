function r = loop_life(n)
% Conway's game on a torus, cell by cell, ten generations.
    A = zeros(n);
    for i = 1:n
        for j = 1:n
            A(i, j) = mod(i * i * 3 + j * 7 + i * j, 5) < 2;
        end
    end
    for g = 1:10
        B = zeros(n);
        for j = 1:n
            for i = 1:n
                up = mod(i - 2, n) + 1;
                down = mod(i, n) + 1;
                left = mod(j - 2, n) + 1;
                right = mod(j, n) + 1;
                s = A(up, left) + A(up, j) + A(up, right) + A(i, left) + A(i, right) ...
                    + A(down, left) + A(down, j) + A(down, right);
                if s == 3 || (s == 2 && A(i, j) == 1)
                    B(i, j) = 1;
                end
            end
        end
        A = B;
    end
    r = 0;
    for j = 1:n
        for i = 1:n
            r = r + A(i, j) * (i + n * j);
        end
    end
end
