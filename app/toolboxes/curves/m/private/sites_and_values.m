function [x, y, ends] = sites_and_values(x, y, extra)
% The sites in rising order, one point in each column of y, and the extra columns at both ends of y.
x = double(x(:)');
if isvector(y)
    y = y(:)';
end
n = numel(x);
if n < 2
    error('SPLINES:CHCKXYWP:toofewpoints', 'There should be at least two data points.');
end
if ~ismatrix(y) || size(y, 2) ~= n + extra
    error('SPLINES:CHCKXYWP:numberofpoints', ...
        'The number of sites, %d, does not match the number of values, %d.', n, size(y, 2));
end
ends = [];
if extra
    ends = y(:, [1 end]);
    y = y(:, 2:end - 1);
end
[x, order] = sort(x);
y = double(y(:, order));
if any(diff(x) == 0)
    error('SPLINES:CHCKXYWP:repeatedsites', 'The sites must be distinct.');
end
end
