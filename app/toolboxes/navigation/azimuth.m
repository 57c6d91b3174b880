function az = azimuth(varargin)
% az = azimuth(lat1, lon1, lat2, lon2): the direction, in degrees from north, from points to others on a sphere.
[~, az] = distance(varargin{:});
end
