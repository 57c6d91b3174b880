function d = days360(first, last)
% d = days360(first, last): days between dates in years of twelve months of thirty days (SIA).
[y1, m1, d1] = datevec(first);
[y2, m2, d2] = datevec(last);
end1 = m1 == 2 & d1 == eomday(y1, m1);
end2 = m2 == 2 & d2 == eomday(y2, m2);
d2(end1 & end2) = 30;
d1(end1 | d1 == 31) = 30;
d2(d2 == 31 & d1 == 30) = 30;
d = 360*(y2 - y1) + 30*(m2 - m1) + d2 - d1;
end
