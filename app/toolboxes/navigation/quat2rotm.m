function r = quat2rotm(q)
% r = quat2rotm(q): rotation matrices of quaternions [w x y z] in rows.
q = quatnormalize(q);
r = zeros(3, 3, size(q, 1));
for k = 1:size(q, 1)
    [w, x, y, z] = deal(q(k, 1), q(k, 2), q(k, 3), q(k, 4));
    r(:, :, k) = [1 - 2*(y^2 + z^2), 2*(x*y - w*z), 2*(x*z + w*y); ...
        2*(x*y + w*z), 1 - 2*(x^2 + z^2), 2*(y*z - w*x); ...
        2*(x*z - w*y), 2*(y*z + w*x), 1 - 2*(x^2 + y^2)];
end
end
