function [y, map] = gray2bin(x, modulation, M)
% [y, map] = gray2bin(x, modulation, M): what bin2gray did, undone.
order = grayOrder(modulation, M, 'gray2bin');
map = zeros(size(order));
map(order + 1) = 0:M - 1;
if any(x(:) < 0 | x(:) >= M | x(:) ~= fix(x(:))), error('comm:gray2bin:invalidX', 'X must be integers from 0 to M - 1.'); end
y = reshape(map(double(x) + 1), size(x));
end
