function d = days365(first, last)
% d = days365(first, last): days between dates, leap days left out.
[y1, m1, d1] = datevec(first);
[y2, m2, d2] = datevec(last);
before = [0 31 59 90 120 151 181 212 243 273 304 334];
d = 365*(y2 - y1) + reshape(before(m2), size(m2)) - reshape(before(m1), size(m1)) + d2 - d1;
end
