function d = quat2dcm(q)
% d = quat2dcm(q): direction cosine matrices, which turn the frame, of quaternions [w x y z] in rows.
d = permute(quat2rotm(q), [2 1 3]);
end
