function points = qam_points(name, m, order)
% The constellation, for the numbers from 0: columns from the left, each from the top.
side = round(sqrt(m));
if side^2 ~= m || 2^nextpow2(m) ~= m
    error(['comm:' name ':InvalidM'], 'M must be an even power of two: 4, 16, 64 ...');
end
k = 0:side - 1;
if strcmp(order, 'gray'), k = bitxor(k, floor(k/2)); end
place(k + 1) = 0:side - 1;
x = floor((0:m - 1)/side);
y = mod(0:m - 1, side);
points = (2*place(x + 1) - side + 1) + 1i*(side - 1 - 2*place(y + 1));
end
