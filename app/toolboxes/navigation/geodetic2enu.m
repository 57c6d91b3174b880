function [east, north, up] = geodetic2enu(lat, lon, h, lat0, lon0, h0, spheroid, varargin)
% [east, north, up] = geodetic2enu(lat, lon, h, lat0, lon0, h0, spheroid), geodetic2enu(..., 'radians'): coordinates to the east, the north and up from a place, of others.
unit = inDegrees(varargin, 'geodetic2enu');
[x, y, z] = geodetic2ecef(spheroid, lat*unit, lon*unit, h);
[east, north, up] = ecef2enu(x, y, z, lat0*unit, lon0*unit, h0, spheroid);
end
