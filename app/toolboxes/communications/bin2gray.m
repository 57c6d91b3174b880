function [y, map] = bin2gray(x, modulation, M)
% [y, map] = bin2gray(x, modulation, M): numbers of symbols from 0 to M - 1 in the order of Gray's code: 'psk', 'pam', 'fsk', 'dpsk', or 'qam', where rows
%   and columns of the constellation are coded each for itself. map has the codes of all symbols; y = map(x + 1).
map = grayOrder(modulation, M, 'bin2gray');
if any(x(:) < 0 | x(:) >= M | x(:) ~= fix(x(:))), error('comm:bin2gray:invalidX', 'X must be integers from 0 to M - 1.'); end
y = reshape(map(double(x) + 1), size(x));
end
