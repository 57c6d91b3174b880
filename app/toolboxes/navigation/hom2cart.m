function c = hom2cart(h)
% c = hom2cart(h): points in rows without their last, homogeneous coordinate, by which they are divided.
c = h(:, 1:end - 1)./h(:, end);
end
