function y = walsh_hadamard(name, x, n, order)
% The sums with signs of fwht and ifwht, along columns (or a row).
order = validatestring(order, {'sequency', 'hadamard', 'dyadic'}, name);
isRow = isrow(x);
if isRow, x = x.'; end
if isempty(n), n = 2^nextpow2(size(x, 1)); end
if n ~= 2^nextpow2(n), error(['signal:' name ':InvalidLength'], 'The length must be a power of two.'); end
x = [x(1:min(end, n), :); zeros(n - size(x, 1), size(x, 2))];
k = 0:n - 1;
bits = nextpow2(n);
switch order
    case 'hadamard', p = k;
    case 'dyadic', p = reversed(k, bits);
    case 'sequency', p = reversed(bitxor(k, floor(k/2)), bits);
end
y = hadamard(n)*x;
y = y(p + 1, :);
if isRow, y = y.'; end
end

function r = reversed(k, bits)
r = zeros(size(k));
for b = 1:bits
    r = 2*r + mod(k, 2);
    k = floor(k/2);
end
end
