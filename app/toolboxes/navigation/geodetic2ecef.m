function [x, y, z] = geodetic2ecef(spheroid, lat, lon, h, varargin)
% [x, y, z] = geodetic2ecef(spheroid, lat, lon, h), geodetic2ecef(..., 'radians'): coordinates from the centre of the Earth, z to the North Pole, of places at
%   latitudes, longitudes (degrees) and heights above the spheroid, in its unit.
unit = inDegrees(varargin, 'geodetic2ecef');
[a, e2] = spheroidOf(spheroid);
[lat, lon] = deal(lat*unit, lon*unit);
n = a./sqrt(1 - e2*sind(lat).^2);
x = (n + h).*cosd(lat).*cosd(lon);
y = (n + h).*cosd(lat).*sind(lon);
z = (n*(1 - e2) + h).*sind(lat);
end
