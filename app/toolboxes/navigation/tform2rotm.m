function r = tform2rotm(h)
% r = tform2rotm(h): the rotations of homogeneous transformations.
r = h(1:end - 1, 1:end - 1, :);
end
