function [x, y, flag] = compared(name, x, y, flag)
% Both of one size; a vector is compared with every column (or row) of a matrix.
if isequal(size(x), size(y))
    if isempty(flag), flag = 'overall'; end
    return
end
if isvector(y) && ~isvector(x), wide = x; else, wide = y; end
if isvector(x) && isvector(y) && numel(x) ~= numel(y)
    error(['comm:' name ':SizeMismatch'], 'X and Y must have the same size.');
end
if isempty(flag)
    if iscolumn(x) || iscolumn(y), flag = 'column-wise'; else, flag = 'row-wise'; end
end
x = x + zeros(size(wide));
y = y + zeros(size(wide));
end
