function r = small_small_systems()
r = 0; for k = 1:300, A = [4 1; 2 3 + k/100]; r = r + sum(A\[1; 2]); end
end
