function [east, north, up] = aer2enu(az, elev, range, varargin)
% [east, north, up] = aer2enu(az, elev, range), aer2enu(..., 'radians'): coordinates of directions in degrees and distances.
unit = inDegrees(varargin, 'aer2enu');
[az, elev] = deal(az*unit, elev*unit);
east = range.*cosd(elev).*sind(az);
north = range.*cosd(elev).*cosd(az);
up = range.*sind(elev);
end
