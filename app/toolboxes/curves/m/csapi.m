function result = csapi(x, y, xx)
% pp = csapi(x, y): the cubic spline through the points, its end pieces joined smoothly ("not-a-knot").
%   A matrix y holds one point in each column. v = csapi(x, y, xx): its values at xx.
[x, y] = sites_and_values(x, y, 0);
result = cubic_spline(x, y, end_slopes(x, y, {'not-a-knot', 'not-a-knot'}, zeros(size(y, 1), 2)));
if nargin > 2
    result = ppval(result, xx);
end
end
