function s = referenceEllipsoid(name, unit)
% s = referenceEllipsoid(name), referenceEllipsoid(name, unit): an ellipsoid as a struct of its axes and what follows from them: 'wgs84', 'grs80', 'wgs72',
%   'clarke66', 'bessel', 'international', 'krasovsky', 'airy', 'unitsphere', 'earth' (wgs84); unit 'meter', 'kilometer', 'foot', 'mile', 'nautical mile'.
if nargin < 1, name = 'unitsphere'; end
if nargin < 2, unit = 'meter'; end
known = {'wgs84', 6378137, 298.257223563, 'World Geodetic System 1984', 7030; 'grs80', 6378137, 298.257222101, 'Geodetic Reference System 1980', 7019; ...
    'wgs72', 6378135, 298.26, 'World Geodetic System 1972', 7043; 'clarke66', 6378206.4, 294.978698213898, 'Clarke 1866', 7008; ...
    'bessel', 6377397.155, 299.1528128, 'Bessel 1841', 7004; 'international', 6378388, 297, 'International 1924', 7022; ...
    'krasovsky', 6378245, 298.3, 'Krassowsky 1940', 7024; 'airy', 6377563.396, 299.3249646, 'Airy 1830', 7001; ...
    'unitsphere', 1, Inf, 'Unit Sphere', []; 'earth', 6378137, 298.257223563, 'World Geodetic System 1984', 7030};
k = find(strcmpi(name, known(:, 1)));
if isempty(k), error('map:referenceEllipsoid:unknownName', 'Known ellipsoids are: %s.', strjoin(known(:, 1)', ', ')); end
units = struct('meter', 1, 'kilometer', 1000, 'foot', 0.3048, 'mile', 1609.344, 'nauticalmile', 1852);
words = {'meter', 'm', 'meters'; 'kilometer', 'km', 'kilometers'; 'foot', 'ft', 'feet'; 'mile', 'mi', 'miles'; 'nautical mile', 'nm', 'nautical miles'};
at = find(any(strcmpi(unit, words), 2));
if isempty(at), error('map:referenceEllipsoid:unknownUnit', 'Units are: %s.', strjoin(words(:, 1)', ', ')); end
unit = words{at, 1};
a = known{k, 2}/units.(strrep(unit, ' ', ''));
if strcmpi(name, 'unitsphere'), a = 1; end
f = 1/known{k, 3};
e = sqrt(f*(2 - f));
b = a*(1 - f);
area = 4*pi*a^2;
if e > 0, area = 2*pi*a^2 + pi*b^2/e*log((1 + e)/(1 - e)); end
s = struct('Code', known{k, 5}, 'Name', known{k, 4}, 'LengthUnit', unit, 'SemimajorAxis', a, 'SemiminorAxis', b, 'InverseFlattening', 1/f, ...
    'Eccentricity', e, 'Flattening', f, 'ThirdFlattening', f/(2 - f), 'MeanRadius', (2*a + b)/3, 'SurfaceArea', area, 'Volume', 4/3*pi*a^2*b);
end
