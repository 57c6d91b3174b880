function r = small_pascal_triangle()
P = zeros(25); P(:,1) = 1; for i = 2:25, for j = 2:i, P(i,j) = P(i-1,j-1) + P(i-1,j); end, end
r = sum(P(25,:));
end
