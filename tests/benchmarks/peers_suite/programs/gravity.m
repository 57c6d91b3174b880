% Forces between all pairs of n bodies, five steps.
pos = single(reshape(mod((1:n*3)' * 0.6180339887498949, 1), n, 3));
mass = single(1 + mod((1:n)' * 0.7548776662466927, 1));
%% Work
p = pos;
v = zeros(n, 3, 'single');
for step = 1:5
    dx = p(:, 1)' - p(:, 1);
    dy = p(:, 2)' - p(:, 2);
    dz = p(:, 3)' - p(:, 3);
    w = (dx.^2 + dy.^2 + dz.^2 + 0.01) .^ -1.5;
    a = [(dx .* w) * mass, (dy .* w) * mass, (dz .* w) * mass] / n;
    v = v + 0.01 * a;
    p = p + 0.01 * v;
end
result = sum(v(:).^2);
