function tf = isregular(T, unit)
% isregular(T): true when the times of a timetable, or of a vector of times, have even steps.
%   isregular(T, unit): by a unit of the calendar: 'year', 'quarter', 'month', 'week' or 'day';
%   'time' is the plain distance.
if istimetable(T)
    T = T.(T.Properties.DimensionNames{1});
end
if nargin < 2 || strcmpi(unit, 'time')
    steps = diff(T(:));
    tf = numel(T) > 1 && all(abs(steps - steps(1)) <= 1e-9*abs(steps(1))) && steps(1) ~= 0*steps(1);
    return
end
unit = lower(char(unit));
if ~isdatetime(T) || numel(T) < 2
    tf = false;
    return
end
switch unit
    case {'day', 'days', 'week', 'weeks'}
        counts = diff(floor(datenum(T(:))));
        if startsWith(unit, 'week')
            counts = counts/7;
        end
        back = T(1) + caldays((7^startsWith(unit, 'week'))*counts(1)*(0:numel(T)-1)');
    case {'month', 'months', 'quarter', 'quarters', 'year', 'years'}
        size = 1 + 2*startsWith(unit, 'quarter') + 11*startsWith(unit, 'year');
        counts = diff(year(T(:))*12 + month(T(:)))/size;
        back = T(1) + calmonths(size*counts(1)*(0:numel(T)-1)');
    otherwise
        error('MATLAB:timetable:isregular:InvalidUnit', 'Unknown unit ''%s''.', unit);
end
tf = all(counts == counts(1)) && counts(1) ~= 0 && counts(1) == round(counts(1)) && ...
    isequal(back, T(:));
end
