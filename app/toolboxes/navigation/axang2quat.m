function q = axang2quat(a)
% q = axang2quat(a): unit quaternions [w x y z] of axes and angles in rows.
v = a(:, 1:3)./sqrt(sum(a(:, 1:3).^2, 2));
q = [cos(a(:, 4)/2), v.*sin(a(:, 4)/2)];
end
