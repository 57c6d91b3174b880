function x = qamdemod(y, m, varargin)
% x = qamdemod(y, m, order, options): the whole numbers whose points of qammod are nearest. Options: 'OutputType'
%   (integer, bit), 'UnitAveragePower' (false).
[order, kind, unit] = qam_options('qamdemod', varargin, 'OutputType');
points = qam_points('qamdemod', m, order);
if unit, y = y*sqrt(mean(abs(points).^2)); end
side = round(sqrt(m));
near = @(v) min(max(round((v + side - 1)/2), 0), side - 1);
place = near(real(y))*side + near(-imag(y));
numbers(cell_of(points, side) + 1) = 0:m - 1;
x = reshape(numbers(place + 1), size(y));
if strcmp(kind, 'bit')
    bits = log2(m);
    x = reshape(mod(floor(reshape(x, 1, [])./2.^(bits - 1:-1:0)'), 2), [], size(x, 2)*(~isrow(x)) + isrow(x));
    if isrow(y) && ~isscalar(y), x = x(:)'; end
end
end

function place = cell_of(points, side)
place = (real(points) + side - 1)/2*side + (-imag(points) + side - 1)/2;
end
