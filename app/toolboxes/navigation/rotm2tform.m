function h = rotm2tform(r)
% h = rotm2tform(r): homogeneous transformations of rotation matrices.
n = size(r, 1);
h = zeros(n + 1, n + 1, size(r, 3));
h(1:n, 1:n, :) = r;
h(n + 1, n + 1, :) = 1;
end
