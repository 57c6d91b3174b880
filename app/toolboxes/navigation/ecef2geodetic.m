function [lat, lon, h] = ecef2geodetic(spheroid, x, y, z, varargin)
% [lat, lon, h] = ecef2geodetic(spheroid, x, y, z), ecef2geodetic(..., 'radians'): latitudes, longitudes (degrees) and heights above the spheroid of places with
%   coordinates from the centre of the Earth. Bowring's iteration.
unit = inDegrees(varargin, 'ecef2geodetic');
[a, e2] = spheroidOf(spheroid);
b = a*sqrt(1 - e2);
rho = hypot(x, y);
beta = atan2d(z, (b/a)*rho);
for k = 1:6
    lat = atan2d(z + b*e2/(1 - e2)*sind(beta).^3, rho - a*e2*cosd(beta).^3);
    beta = atan2d((b/a)*sind(lat), cosd(lat));
end
n = a./sqrt(1 - e2*sind(lat).^2);
h = rho.*cosd(lat) + (z + e2*n.*sind(lat)).*sind(lat) - n;
lon = atan2d(y, x)/unit;
lat = lat/unit;
end
