function d = dms2degrees(dms)
% d = dms2degrees(dms): degrees, minutes and seconds in rows as degrees; the first that is not zero has the sign.
s = ones(size(dms, 1), 1);
s(any(dms < 0, 2)) = -1;
d = s.*(abs(dms(:, 1)) + abs(dms(:, 2))/60 + abs(dms(:, 3))/3600);
end
