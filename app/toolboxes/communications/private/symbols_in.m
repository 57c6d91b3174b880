function x = symbols_in(name, x, m, order)
% Positions on the constellation for whole numbers: themselves, or those of their Gray codes.
if any(x(:) < 0 | x(:) >= m | x(:) ~= fix(x(:)))
    error(['comm:' name ':InvalidInput'], 'The numbers must be whole, from 0 to M - 1.');
end
if strcmpi(validatestring(order, {'bin', 'gray'}, name), 'gray')
    codes = bitxor(0:m - 1, floor((0:m - 1)/2));
    place(codes + 1) = 0:m - 1;
    x = reshape(place(x + 1), size(x));
end
end
