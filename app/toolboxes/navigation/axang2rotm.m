function r = axang2rotm(a)
% r = axang2rotm(a): rotation matrices of axes and angles [x y z angle] in rows.
r = zeros(3, 3, size(a, 1));
for k = 1:size(a, 1)
    v = a(k, 1:3)/norm(a(k, 1:3));
    s = [0 -v(3) v(2); v(3) 0 -v(1); -v(2) v(1) 0];
    r(:, :, k) = eye(3) + sin(a(k, 4))*s + (1 - cos(a(k, 4)))*s^2;
end
end
