function numbers = bits_to_numbers(x, m)
% The numbers from 0 to m - 1 that groups of bits stand for, the most significant first, column by column.
bits = log2(m);
numbers = 2.^(bits - 1:-1:0)*double(reshape(x, bits, []));
if ~isrow(x), numbers = reshape(numbers, [], size(x, 2)); end
end
