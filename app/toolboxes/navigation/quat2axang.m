function a = quat2axang(q)
% a = quat2axang(q): axes and angles [x y z angle] in rows of quaternions [w x y z].
q = quatnormalize(q);
size_of = sqrt(sum(q(:, 2:4).^2, 2));
angle_ = 2*atan2(size_of, q(:, 1));
over = angle_ > pi;
angle_(over) = angle_(over) - 2*pi;
axis_ = q(:, 2:4)./max(size_of, realmin);
axis_(over, :) = -axis_(over, :);
angle_(over) = -angle_(over);
none = size_of < eps;
axis_(none, :) = repmat([0 0 1], sum(none), 1);
angle_(none) = 0;
a = [axis_ angle_];
end
