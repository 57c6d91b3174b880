function s = end_slopes(x, y, ends, values)
% The slopes at all sites of the cubic spline through the points, a row for each row of y.
%   ends: 'slope', 'second', 'natural', 'lagrange', 'periodic' or 'not-a-knot', for each end.
n = numel(x);
h = diff(x);
d = diff(y, 1, 2)./h;
if n == 2 && all(strcmp(ends, 'not-a-knot')) || n == 2 && any(strcmp(ends, 'periodic'))
    s = [d d];
    return
end
if n == 3 && all(strcmp(ends, 'not-a-knot'))
    ends{2} = 'lagrange';
end
A = zeros(n);
b = zeros(n, size(y, 1));
for k = 2:n - 1
    A(k, k - 1:k + 1) = [h(k) 2*(h(k - 1) + h(k)) h(k - 1)];
    b(k, :) = 3*(h(k)*d(:, k - 1) + h(k - 1)*d(:, k));
end
if strcmp(ends{1}, 'periodic')
    A(1, [1 n]) = [1 -1];
    A(n, [1 2]) = [2 1]/h(1);
    A(n, [n - 1 n]) = A(n, [n - 1 n]) + [1 2]/h(n - 1);
    b(n, :) = 3*(d(:, 1)/h(1) + d(:, n - 1)/h(n - 1));
else
    [A(1, :), b(1, :)] = condition(ends{1}, x, y, h, d, values(:, 1));
    [last, b(n, :)] = condition(ends{2}, -fliplr(x), fliplr(y), fliplr(h), -fliplr(d), ...
        values(:, 2)*(1 - 2*strcmp(ends{2}, 'slope')));
    A(n, :) = -fliplr(last);
end
s = (A\b)';
end

function [row, right] = condition(kind, x, y, h, d, value)
% The equation of the first end; the last end is the first one of the mirrored points.
row = zeros(1, numel(x));
switch kind
    case 'slope'
        row(1) = 1;
        right = value;
    case 'lagrange'
        row(1) = 1;
        right = first_slope(x, y);
    case 'not-a-knot'
        row(1:2) = [h(2) h(1) + h(2)];
        right = ((h(1) + 2*(h(1) + h(2)))*h(2)*d(:, 1) + h(1)^2*d(:, 2))/(h(1) + h(2));
    otherwise
        row(1:2) = [2 1];
        right = 3*d(:, 1) - h(1)/2*value*strcmp(kind, 'second');
end
right = right(:)';
end

function slope = first_slope(x, y)
% The slope at the first site of the polynomial through the first four points, or all if fewer.
m = min(4, numel(x));
table = y(:, 1:m);
slope = 0;
weight = 1;
for k = 1:m - 1
    table = diff(table, 1, 2)./(x(1 + k:m) - x(1:m - k));
    slope = slope + weight*table(:, 1);
    weight = weight*(x(1) - x(k + 1));
end
end
