function n = months(first, last, at_end)
% n = months(first, last, at_end): whole months between dates; at_end (1): the last day of a month counts as one.
if nargin < 3, at_end = 1; end
[y1, m1, d1] = datevec(first);
[y2, m2, d2] = datevec(last);
n = 12*(y2 - y1) + m2 - m1;
full = d2 >= d1 | (at_end & d2 == eomday(y2, m2));
later = n > 0 | (n == 0 & d2 >= d1);
n = n - (later & ~full & n > 0) + (~later & d2 > d1);
end
