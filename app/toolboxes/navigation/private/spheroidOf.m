function [a, e2] = spheroidOf(s)
% The larger axis and the squared eccentricity of a struct of referenceEllipsoid, or of [a e].
if isstruct(s)
    [a, e2] = deal(s.SemimajorAxis, s.Eccentricity^2);
elseif isnumeric(s) && numel(s) == 2
    [a, e2] = deal(s(1), s(2)^2);
else
    error('map:spheroid:invalid', 'The spheroid must be that of wgs84Ellipsoid or referenceEllipsoid, or [a e].');
end
end
