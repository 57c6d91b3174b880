function [north, east, down] = geodetic2ned(varargin)
% [north, east, down] = geodetic2ned(lat, lon, h, lat0, lon0, h0, spheroid), geodetic2ned(..., 'radians'): coordinates to the north, the east and down from a place.
[east, north, up] = geodetic2enu(varargin{:});
down = -up;
end
