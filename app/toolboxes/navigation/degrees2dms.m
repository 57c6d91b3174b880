function dms = degrees2dms(d)
% dms = degrees2dms(d): degrees as rows of degrees, minutes and seconds; the first that is not zero has the sign.
a = abs(d(:));
deg = fix(a);
m = fix((a - deg)*60);
s = (a - deg)*3600 - m*60;
over = s >= 60 - 1e-9;
m(over) = m(over) + 1;
s(over) = 0;
dms = [deg m s];
for k = find(d(:) < 0)'
    place = find(dms(k, :), 1);
    dms(k, place) = -dms(k, place);
end
end
