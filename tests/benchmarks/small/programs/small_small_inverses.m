function r = small_small_inverses()
r = 0; for k = 1:200, A = [4 1 0; 2 5 1; 0 1 3 + k/100]; r = r + det(A) + sum(sum(inv(A))); end
end
