function s = wgs84Ellipsoid(unit)
% s = wgs84Ellipsoid, wgs84Ellipsoid(unit): the ellipsoid of the World Geodetic System 1984 as a struct, in metres or a unit of convlength's kind
%   ('meter', 'kilometer', 'foot', 'mile', 'nautical mile').
if nargin < 1, unit = 'meter'; end
s = referenceEllipsoid('wgs84', unit);
end
