function h = axang2tform(a)
% h = axang2tform(a): homogeneous transformations of axes and angles in rows.
h = rotm2tform(axang2rotm(a));
end
