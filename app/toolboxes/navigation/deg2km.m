function km = deg2km(d, radius)
% km = deg2km(d, radius): the length of arcs of the Earth (radius 6371 km) in degrees.
if nargin < 2, radius = 6371; end
km = deg2rad(d)*radius;
end
