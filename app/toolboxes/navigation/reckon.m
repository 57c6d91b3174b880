function [lat, lon] = reckon(lat0, lon0, arc, az)
% [lat, lon] = reckon(lat0, lon0, arc, az): where one comes from a point over an arc in a direction, in degrees.
lat = asind(sind(lat0).*cosd(arc) + cosd(lat0).*sind(arc).*cosd(az));
lon = lon0 + atan2d(sind(arc).*sind(az).*cosd(lat0), cosd(arc) - sind(lat0).*sind(lat));
lon = mod(lon + 180, 360) - 180;
if nargout < 2, lat = [lat lon]; end
end
