function y = dyadup(x, varargin)
% y = dyadup(x), dyadup(x, k), dyadup(x, k, type): zeros between the elements, around them as well (k odd, 1), or only between (k even); between
%   columns ('c'), rows ('r') or both ('m') of a matrix.
[around, type] = parity(varargin, 'dyadup', 1);
if isvector(x) && ~any(type == 'rm'), type = 'c'; if iscolumn(x) && ~isscalar(x), type = 'r'; end, end
[m, n] = size(x);
rows = 1:m;
columns = 1:n;
[tall, wide] = deal(m, n);
if any(type == 'rm'), rows = (1:m)*2 - 1 + around; tall = 2*m - 1 + 2*around; end
if any(type == 'cm'), columns = (1:n)*2 - 1 + around; wide = 2*n - 1 + 2*around; end
y = zeros(tall, wide, 'like', x);
y(rows, columns) = x;
end
