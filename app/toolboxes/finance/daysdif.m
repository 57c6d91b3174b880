function d = daysdif(first, last, basis)
% d = daysdif(first, last, basis): days between dates: basis 0 actual (default), 1 of 360, 2 and 3 actual/360, 365.
if nargin < 3, basis = 0; end
switch basis
    case {0, 2, 8, 9, 12}, d = daysact(first, last);
    case {1}, d = days360(first, last);
    case {3, 10}, d = days365(first, last);
    otherwise, error('finance:daysdif:InvalidBasis', 'daysdif has no basis %d: use 0, 1, 2 or 3.', basis);
end
end
