function r = small_floyd_warshall()
n = 40; D = mod(reshape((1:n*n)*7919, n, n), 97) + 1; D(1:n+1:end) = 0;
for k = 1:n, D = min(D, D(:,k) + D(k,:)); end
r = sum(D(:));
end
