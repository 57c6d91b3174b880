function tau = kendall(x, y)
% tau = kendall(x, y): rank correlations after Kendall of the columns (Octave's).
if nargin < 2
    y = x;
end
[x, y] = columns_of('kendall', x, y);
n = size(x, 1);
a = signs(x, n);
b = signs(y, n);
tau = a.' * b / (n*(n - 1));
end

function s = signs(x, n)
s = zeros(n^2, size(x, 2));
for k = 1:size(x, 2)
    d = sign(x(:, k) - x(:, k).');
    s(:, k) = d(:);
end
end

function [x, y] = columns_of(name, x, y)
if ~isnumeric(x) || ~isnumeric(y)
    error([name ':invalidType'], 'The inputs of %s must be numeric.', name);
end
if isrow(x)
    x = x.';
end
if isrow(y)
    y = y.';
end
if size(x, 1) ~= size(y, 1)
    error([name ':sizes'], 'The inputs of %s must have as many observations.', name);
end
end
