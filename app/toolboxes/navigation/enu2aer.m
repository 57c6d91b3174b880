function [az, elev, range] = enu2aer(east, north, up, varargin)
% [az, elev, range] = enu2aer(east, north, up), enu2aer(..., 'radians'): azimuth clockwise from north and elevation in degrees, and distance.
unit = inDegrees(varargin, 'enu2aer');
range = sqrt(east.^2 + north.^2 + up.^2);
az = mod(atan2d(east, north), 360)/unit;
elev = atan2d(up, hypot(east, north))/unit;
end
