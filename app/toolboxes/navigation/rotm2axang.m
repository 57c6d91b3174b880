function a = rotm2axang(r)
% a = rotm2axang(r): axes and angles [x y z angle] in rows of rotation matrices.
a = quat2axang(rotm2quat(r));
end
