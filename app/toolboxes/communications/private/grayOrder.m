function order = grayOrder(modulation, M, name)
% Gray's code of the symbols from 0 to M - 1.
modulation = validatestring(modulation, {'psk', 'pam', 'fsk', 'dpsk', 'qam'}, name);
k = log2(M);
if ~isscalar(M) || k ~= fix(k) || k < 1, error(['comm:' name ':invalidM'], 'M must be a power of 2.'); end
x = 0:M - 1;
if ~strcmp(modulation, 'qam')
    order = bitxor(x, floor(x/2));
else
    low = 2^floor(k/2);
    [rows, columns] = deal(floor(x/low), mod(x, low));
    order = bitxor(rows, floor(rows/2))*low + bitxor(columns, floor(columns/2));
end
end
