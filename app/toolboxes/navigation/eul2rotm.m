function r = eul2rotm(eul, sequence)
% r = eul2rotm(eul, sequence): rotation matrices (3-by-3-by-n) of Euler angles in rows; sequences ZYX (default), ZYZ, XYZ.
if nargin < 2, sequence = 'ZYX'; end
sequence = validatestring(sequence, {'ZYX', 'ZYZ', 'XYZ'}, 'eul2rotm');
r = zeros(3, 3, size(eul, 1));
for k = 1:size(eul, 1)
    r(:, :, k) = turn(sequence(1), eul(k, 1))*turn(sequence(2), eul(k, 2))*turn(sequence(3), eul(k, 3));
end
end

function r = turn(axis_, a)
[c, s] = deal(cos(a), sin(a));
switch axis_
    case 'X', r = [1 0 0; 0 c -s; 0 s c];
    case 'Y', r = [c 0 s; 0 1 0; -s 0 c];
    case 'Z', r = [c -s 0; s c 0; 0 0 1];
end
end
