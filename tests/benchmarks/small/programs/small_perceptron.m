function r = small_perceptron()
X = [ones(60,1), mod((1:60)'*7, 13), mod((1:60)'*5, 11)]; t = sign(X(:,2) - X(:,3) + 0.5); w = zeros(3, 1);
for e = 1:30, for k = 1:60, if sign(X(k,:)*w) ~= t(k), w = w + t(k)*X(k,:)'; end, end, end
r = sum(w);
end
