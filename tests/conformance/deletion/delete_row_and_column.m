A = magic(4);
A(2, :) = []
A(:, [1 end]) = []
