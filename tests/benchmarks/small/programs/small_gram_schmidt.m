function r = small_gram_schmidt()
A = magic(9) + eye(9)*10; Q = zeros(9);
for k = 1:9, v = A(:,k); for j = 1:k-1, v = v - (Q(:,j)'*A(:,k))*Q(:,j); end, Q(:,k) = v/norm(v); end
r = norm(Q'*Q - eye(9)) < 1e-8;
end
