function eul = rotm2eul(r, sequence)
% eul = rotm2eul(r, sequence): Euler angles in rows of rotation matrices; sequences ZYX (default), ZYZ, XYZ.
if nargin < 2, sequence = 'ZYX'; end
sequence = validatestring(sequence, {'ZYX', 'ZYZ', 'XYZ'}, 'rotm2eul');
n = size(r, 3);
eul = zeros(n, 3);
for k = 1:n
    m = r(:, :, k);
    switch sequence
        case 'ZYX'
            sy = hypot(m(1, 1), m(2, 1));
            if sy > 10*eps
                eul(k, :) = [atan2(m(2, 1), m(1, 1)), atan2(-m(3, 1), sy), atan2(m(3, 2), m(3, 3))];
            else
                eul(k, :) = [0, atan2(-m(3, 1), sy), atan2(-m(2, 3), m(2, 2))];
            end
        case 'XYZ'
            sy = hypot(m(1, 1), m(1, 2));
            if sy > 10*eps
                eul(k, :) = [atan2(-m(2, 3), m(3, 3)), atan2(m(1, 3), sy), atan2(-m(1, 2), m(1, 1))];
            else
                eul(k, :) = [0, atan2(m(1, 3), sy), atan2(m(2, 1), m(2, 2))];
            end
        case 'ZYZ'
            sy = hypot(m(3, 1), m(3, 2));
            if sy > 10*eps
                eul(k, :) = [atan2(-m(2, 3), -m(1, 3)), -atan2(sy, m(3, 3)), atan2(-m(3, 2), m(3, 1))];
            else
                eul(k, :) = [0, -atan2(sy, m(3, 3)), atan2(-m(1, 2), m(2, 2))];
            end
    end
end
end
