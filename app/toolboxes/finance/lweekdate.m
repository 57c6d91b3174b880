function d = lweekdate(day, y, m)
% d = lweekdate(day, y, m): the last of a day of the week (1 is Sunday) in a month, as a serial number.
last = datenum(y, m, eomday(y, m));
d = last - mod(weekday(last) - day, 7);
end
