function d = eomdate(y, m)
% d = eomdate(y, m): the last date of a month as a serial number; eomdate(date) of that date's month.
if nargin < 2, [y, m] = datevec(y); end
d = datenum(y, m, eomday(y, m));
end
