function r = quatconj(q)
% r = quatconj(q): conjugates of quaternions [w x y z] in rows.
r = [q(:, 1) -q(:, 2:4)];
end
