function p = lla2ecef(lla, varargin)
% p = lla2ecef(lla): positions in metres, in rows, of latitude, longitude (degrees) and height (m); lla2ecef(lla,
%   flattening, radius): on another ellipsoid than WGS84.
[f, a] = ellipsoid_of('lla2ecef', varargin);
e2 = f*(2 - f);
n = a./sqrt(1 - e2*sind(lla(:, 1)).^2);
p = [(n + lla(:, 3)).*cosd(lla(:, 1)).*cosd(lla(:, 2)), (n + lla(:, 3)).*cosd(lla(:, 1)).*sind(lla(:, 2)), ...
    (n*(1 - e2) + lla(:, 3)).*sind(lla(:, 1))];
end
