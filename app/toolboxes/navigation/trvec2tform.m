function h = trvec2tform(t)
% h = trvec2tform(t): homogeneous transformations of translations in rows.
h = repmat(eye(size(t, 2) + 1), 1, 1, size(t, 1));
for k = 1:size(t, 1), h(1:end - 1, end, k) = t(k, :)'; end
end
