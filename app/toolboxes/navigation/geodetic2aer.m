function [az, elev, range] = geodetic2aer(lat, lon, h, lat0, lon0, h0, spheroid, varargin)
% [az, elev, range] = geodetic2aer(lat, lon, h, lat0, lon0, h0, spheroid), geodetic2aer(..., 'radians'): in which direction and how far places lie from another.
unit = inDegrees(varargin, 'geodetic2aer');
[east, north, up] = geodetic2enu(lat*unit, lon*unit, h, lat0*unit, lon0*unit, h0, spheroid);
[az, elev, range] = enu2aer(east, north, up);
[az, elev] = deal(az/unit, elev/unit);
end
