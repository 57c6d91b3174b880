% Wave equation on a periodic grid of n x n, fields of a struct.
[X, Y] = meshgrid(single(1:n));
f.now = exp(-((X - n/2).^2 + (Y - n/2).^2) / 200);
f.old = f.now;
f.c = single(0.25);
start = f;
%% Work
f = start;
for k = 1:100
    lap = circshift(f.now, 1, 1) + circshift(f.now, -1, 1) ...
        + circshift(f.now, 1, 2) + circshift(f.now, -1, 2) - 4 * f.now;
    next = 2 * f.now - f.old + f.c * lap;
    f.old = f.now;
    f.now = next;
end
result = sum(f.now(:).^2);
