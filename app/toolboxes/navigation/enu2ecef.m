function [x, y, z] = enu2ecef(east, north, up, lat0, lon0, h0, spheroid, varargin)
% [x, y, z] = enu2ecef(east, north, up, lat0, lon0, h0, spheroid), enu2ecef(..., 'radians'): coordinates from the centre of the Earth of points to the east, the
%   north and up from a place.
unit = inDegrees(varargin, 'enu2ecef');
[lat0, lon0] = deal(lat0*unit, lon0*unit);
[x0, y0, z0] = geodetic2ecef(spheroid, lat0, lon0, h0);
t = cosd(lat0).*up - sind(lat0).*north;
x = x0 + cosd(lon0).*t - sind(lon0).*east;
y = y0 + sind(lon0).*t + cosd(lon0).*east;
z = z0 + sind(lat0).*up + cosd(lat0).*north;
end
