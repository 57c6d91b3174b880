function y = dyaddown(x, varargin)
% y = dyaddown(x), dyaddown(x, k), dyaddown(x, k, type): every second element: of even numbers (k even, 0), or of odd ones (k odd); of columns ('c'),
%   rows ('r') or both ('m') of a matrix.
[first, type] = parity(varargin, 'dyaddown', 0);
if isvector(x) && ~any(type == 'rm')
    y = x(2 - first:2:end);
elseif type == 'r'
    y = x(2 - first:2:end, :);
elseif type == 'm'
    y = x(2 - first:2:end, 2 - first:2:end);
else
    y = x(:, 2 - first:2:end);
end
end
