function q = rotm2quat(r)
% q = rotm2quat(r): unit quaternions [w x y z] in rows of rotation matrices (Bar-Itzhack, 2000).
q = zeros(size(r, 3), 4);
for k = 1:size(r, 3)
    m = r(:, :, k);
    [t, place] = max([trace(m), diag(m)']);
    switch place
        case 1, v = [1 + t, m(3, 2) - m(2, 3), m(1, 3) - m(3, 1), m(2, 1) - m(1, 2)];
        case 2, v = [m(3, 2) - m(2, 3), 1 + 2*m(1, 1) - trace(m), m(1, 2) + m(2, 1), m(1, 3) + m(3, 1)];
        case 3, v = [m(1, 3) - m(3, 1), m(1, 2) + m(2, 1), 1 + 2*m(2, 2) - trace(m), m(2, 3) + m(3, 2)];
        case 4, v = [m(2, 1) - m(1, 2), m(1, 3) + m(3, 1), m(2, 3) + m(3, 2), 1 + 2*m(3, 3) - trace(m)];
    end
    if v(1) < 0, v = -v; end
    q(k, :) = v/norm(v);
end
end
