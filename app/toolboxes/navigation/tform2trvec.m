function t = tform2trvec(h)
% t = tform2trvec(h): translations in rows of homogeneous transformations.
t = reshape(h(1:end - 1, end, :), size(h, 1) - 1, [])'./reshape(h(end, end, :), [], 1);
end
