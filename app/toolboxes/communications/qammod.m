function y = qammod(x, m, varargin)
% y = qammod(x, m, order, options): points of a square constellation for whole numbers from 0 to m - 1; orders gray
%   (default) and bin. Options: 'InputType' (integer, bit), 'UnitAveragePower' (false).
[order, kind, unit] = qam_options('qammod', varargin, 'InputType');
if strcmp(kind, 'bit'), x = bits_to_numbers(x, m); end
points = qam_points('qammod', m, order);
if any(x(:) < 0 | x(:) >= m | x(:) ~= fix(x(:))), error('comm:qammod:InvalidInput', 'The numbers must be whole, from 0 to M - 1.'); end
y = reshape(points(double(x) + 1), size(x));
if unit, y = y/sqrt(mean(abs(points).^2)); end
end
