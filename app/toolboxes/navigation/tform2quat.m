function q = tform2quat(h)
% q = tform2quat(h): quaternions [w x y z] in rows of homogeneous transformations.
q = rotm2quat(tform2rotm(h));
end
