function d = daysact(first, last)
% d = daysact(first, last): days between dates; daysact(first) since the year zero.
d = datenum(first);
if nargin > 1, d = datenum(last) - d; end
end
