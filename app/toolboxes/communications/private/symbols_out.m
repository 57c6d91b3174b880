function x = symbols_out(name, x, m, order)
% The whole numbers at positions on the constellation.
if strcmpi(validatestring(order, {'bin', 'gray'}, name), 'gray')
    codes = bitxor(0:m - 1, floor((0:m - 1)/2));
    x = reshape(codes(x + 1), size(x));
end
end
