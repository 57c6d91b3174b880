function [len, az] = distance(varargin)
% [len, az] = distance(lat1, lon1, lat2, lon2): the arc and the direction, in degrees, from points to others on a
%   sphere; distance(pt1, pt2): of points in rows. A further input, the radius, gives the length.
if nargin < 4
    [lat1, lon1] = deal(varargin{1}(:, 1), varargin{1}(:, 2));
    [lat2, lon2] = deal(varargin{2}(:, 1), varargin{2}(:, 2));
    rest = varargin(3:end);
else
    [lat1, lon1, lat2, lon2] = deal(varargin{1:4});
    rest = varargin(5:end);
end
unit = 1;
for k = 1:numel(rest)
    if ischar(rest{k}) || isstring(rest{k})
        if strncmpi(rest{k}, 'rad', 3), unit = 180/pi; else, validatestring(rest{k}, {'degrees', 'radians'}, 'distance'); end
    elseif ~isscalar(rest{k})
        error('map:distance:unsupportedOption', 'distance takes the radius of a sphere, and no ellipsoid.');
    end
end
[lat1, lon1, lat2, lon2] = deal(lat1*unit, lon1*unit, lat2*unit, lon2*unit);
a = sind((lat2 - lat1)/2).^2 + cosd(lat1).*cosd(lat2).*sind((lon2 - lon1)/2).^2;
len = 2*atan2d(sqrt(a), sqrt(1 - a))/unit;
az = mod(atan2d(cosd(lat2).*sind(lon2 - lon1), cosd(lat1).*sind(lat2) - sind(lat1).*cosd(lat2).*cosd(lon2 - lon1)), 360)/unit;
for k = 1:numel(rest)
    if isnumeric(rest{k}), len = deg2rad(len*unit)*rest{k}; end
end
end
