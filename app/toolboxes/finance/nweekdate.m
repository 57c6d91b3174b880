function d = nweekdate(n, day, y, m, same)
% d = nweekdate(n, day, y, m): the n-th of a day of the week (1 is Sunday) in a month; n = 5: 0 where there is none.
%   nweekdate(n, day, y, m, same): in a week that has the day of the week same, too.
if nargin < 5, same = 0; end
first = datenum(y, m, 1);
start = weekday(first);
d = first + mod(day - start, 7) + 7*(n - 1);
if same, d = d + 7*(mod(same - start, 7) > mod(day - start, 7)); end
d(d > datenum(y, m, eomday(y, m))) = 0;
end
