function parts = cut(v, dim, w)
% A matrix in blocks of these widths along a dimension.
if dim == 2
    parts = mat2cell(v, size(v, 1), w);
else
    parts = reshape(mat2cell(v, w, size(v, 2)), 1, []);
end
end
