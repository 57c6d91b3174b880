function r = quatmultiply(q, p)
% r = quatmultiply(q, p): products of quaternions [w x y z] in rows; quatmultiply(q): with themselves.
if nargin < 2, p = q; end
w = q(:, 1).*p(:, 1) - sum(q(:, 2:4).*p(:, 2:4), 2);
v = q(:, 1).*p(:, 2:4) + p(:, 1).*q(:, 2:4);
a = q(:, 2:4) + zeros(size(v));
b = p(:, 2:4) + zeros(size(v));
r = [w, v + [a(:, 2).*b(:, 3) - a(:, 3).*b(:, 2), a(:, 3).*b(:, 1) - a(:, 1).*b(:, 3), a(:, 1).*b(:, 2) - a(:, 2).*b(:, 1)]];
end
