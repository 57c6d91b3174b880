function [r1, r2, r3] = dcm2angle(d, order)
% [r1, r2, r3] = dcm2angle(d, order): the three turns of direction cosine matrices; orders ZYX (default), XYZ, ZXZ.
if nargin < 2, order = 'ZYX'; end
[r1, r2, r3] = deal(zeros(size(d, 3), 1));
e = @(i, j) reshape(d(i, j, :), [], 1);
switch validatestring(order, {'ZYX', 'XYZ', 'ZXZ'}, 'dcm2angle')
    case 'ZYX'
        r1 = atan2(e(1, 2), e(1, 1));
        r2 = asin(-min(max(e(1, 3), -1), 1));
        r3 = atan2(e(2, 3), e(3, 3));
    case 'XYZ'
        r1 = atan2(-e(3, 2), e(3, 3));
        r2 = asin(min(max(e(3, 1), -1), 1));
        r3 = atan2(-e(2, 1), e(1, 1));
    case 'ZXZ'
        r1 = atan2(e(3, 1), -e(3, 2));
        r2 = acos(min(max(e(3, 3), -1), 1));
        r3 = atan2(e(1, 3), e(2, 3));
end
end
