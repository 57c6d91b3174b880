function r = quatrotate(q, v)
% r = quatrotate(q, v): vectors in rows in the frame that quaternions [w x y z] turn to.
n = max(size(q, 1), size(v, 1));
q = quatnormalize(q) + zeros(n, 4);
v = v + zeros(n, 3);
r = quatmultiply(quatmultiply(quatconj(q), [zeros(n, 1) v]), q);
r = r(:, 2:4);
end
