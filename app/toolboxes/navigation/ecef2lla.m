function lla = ecef2lla(p, varargin)
% lla = ecef2lla(p): latitude, longitude (degrees) and height (m) in rows of positions in metres; ecef2lla(p,
%   flattening, radius): on another ellipsoid than WGS84.
[f, a] = ellipsoid_of('ecef2lla', varargin);
e2 = f*(2 - f);
r = hypot(p(:, 1), p(:, 2));
lat = atan2(p(:, 3), r*(1 - e2));
for turn = 1:8
    n = a./sqrt(1 - e2*sin(lat).^2);
    lat = atan2(p(:, 3) + e2*n.*sin(lat), r);
end
n = a./sqrt(1 - e2*sin(lat).^2);
h = r.*cos(lat) + p(:, 3).*sin(lat) - n.*(1 - e2*sin(lat).^2);
lla = [rad2deg(lat), atan2d(p(:, 2), p(:, 1)), h];
end
