function q = dcm2quat(d)
% q = dcm2quat(d): quaternions [w x y z] in rows of direction cosine matrices.
q = rotm2quat(permute(d, [2 1 3]));
end
