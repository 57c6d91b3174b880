function [lat, lon, h] = enu2geodetic(east, north, up, lat0, lon0, h0, spheroid, varargin)
% [lat, lon, h] = enu2geodetic(east, north, up, lat0, lon0, h0, spheroid), enu2geodetic(..., 'radians'): places to the east, the north and up from another.
unit = inDegrees(varargin, 'enu2geodetic');
[x, y, z] = enu2ecef(east, north, up, lat0*unit, lon0*unit, h0, spheroid);
[lat, lon, h] = ecef2geodetic(spheroid, x, y, z);
[lat, lon] = deal(lat/unit, lon/unit);
end
