function [east, north, up] = ecef2enu(x, y, z, lat0, lon0, h0, spheroid, varargin)
% [east, north, up] = ecef2enu(x, y, z, lat0, lon0, h0, spheroid), ecef2enu(..., 'radians'): coordinates to the east, the north and up from a place, of points with
%   coordinates from the centre of the Earth.
unit = inDegrees(varargin, 'ecef2enu');
[lat0, lon0] = deal(lat0*unit, lon0*unit);
[x0, y0, z0] = geodetic2ecef(spheroid, lat0, lon0, h0);
[u, v, w] = deal(x - x0, y - y0, z - z0);
t = cosd(lon0).*u + sind(lon0).*v;
east = -sind(lon0).*u + cosd(lon0).*v;
north = -sind(lat0).*t + cosd(lat0).*w;
up = cosd(lat0).*t + sind(lat0).*w;
end
