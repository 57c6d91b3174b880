function h = quat2tform(q)
% h = quat2tform(q): homogeneous transformations of quaternions [w x y z] in rows.
h = rotm2tform(quat2rotm(q));
end
