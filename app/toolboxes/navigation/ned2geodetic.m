function [lat, lon, h] = ned2geodetic(north, east, down, varargin)
% [lat, lon, h] = ned2geodetic(north, east, down, lat0, lon0, h0, spheroid), ned2geodetic(..., 'radians'): places to the north, the east and down from another.
[lat, lon, h] = enu2geodetic(east, north, -down, varargin{:});
end
