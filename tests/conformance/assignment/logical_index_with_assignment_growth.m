v = 1:3; v(logical([0 0 0 0 1])) = 9
m = eye(2); m(m == 0) = 7
