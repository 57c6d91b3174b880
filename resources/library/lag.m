function made = lag(T, by)
% lag(T): the data of a timetable one row later; lag(T, n): n rows, lag(T, d): by a duration.
%   The times stay; where no data arrive they are missing.
if ~istimetable(T)
    error('MATLAB:timetable:lag:NotTimetable', 'The first input must be a timetable.');
end
if nargin < 2
    by = 1;
end
if isduration(by) || iscalendarduration(by)
    if ~isregular(T)
        error('MATLAB:timetable:lag:NotRegular', 'Rows must be regular to lag by a time.');
    end
    by = round(by/T.Properties.TimeStep);
end
n = height(T);
from = (1:n)' - by;
there = from >= 1 & from <= n;
made = T;
names = T.Properties.VariableNames;
for k = 1:width(T)
    old = T.(names{k});
    new = old;
    new(there, :) = old(from(there), :);
    if isfloat(new)
        new(~there, :) = NaN;
    elseif isnumeric(new) || islogical(new)
        new(~there, :) = 0;
    elseif iscellstr(new)
        new(~there, :) = {''};
    elseif iscell(new)
        new(~there, :) = {[]};
    else
        new(~there, :) = missing;
    end
    made.(names{k}) = new;
end
end
