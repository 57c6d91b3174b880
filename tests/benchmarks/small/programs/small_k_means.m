function r = small_k_means()
X = [mod((1:200)'*7, 13), mod((1:200)'*5, 17)]; C = X(1:3,:);
for k = 1:15
d = zeros(200, 3); for j = 1:3, d(:,j) = sum((X - C(j,:)).^2, 2); end
[~, g] = min(d, [], 2); for j = 1:3, C(j,:) = mean(X(g == j, :), 1); end
end
r = sum(C(:));
end
