function d = km2deg(km, radius)
% d = km2deg(km, radius): kilometres as degrees of arc of the Earth (radius 6371 km).
if nargin < 2, radius = 6371; end
d = rad2deg(km/radius);
end
