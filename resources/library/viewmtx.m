function T = viewmtx(az, el, phi, target)
% T = viewmtx(az, el): the 4-by-4 matrix that turns points of space to the view of an azimuth and an elevation
%   in degrees. viewmtx(az, el, phi, target) adds the perspective of a camera that sees the unit cube at an
%   angle of phi degrees; target is the point it looks at ([0 0 0]).
[az, el] = deal(deg2rad(az), deg2rad(el));
T = [cos(az), sin(az), 0, 0; -sin(el)*sin(az), sin(el)*cos(az), cos(el), 0; ...
    cos(el)*sin(az), -cos(el)*cos(az), sin(el), 0; 0, 0, 0, 1];
if nargin < 3 || phi <= 0, return, end
if nargin < 4, target = [0 0 0]; end
distance = sqrt(2)/2/tan(deg2rad(phi)/2);
T = [eye(3, 4); 0 0 -1/distance 1]*[eye(4, 3), [-T(1:3, 1:3)*target(:); 1]]*T;
end
