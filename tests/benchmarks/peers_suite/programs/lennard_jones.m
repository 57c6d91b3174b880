% Energy of n particles within a cut-off.
p = single(20 * reshape(mod((1:n*3)' * 0.6180339887498949, 1), n, 3));
%% Work
r2 = (p(:,1) - p(:,1)').^2 + (p(:,2) - p(:,2)').^2 + (p(:,3) - p(:,3)').^2;
r2(r2 == 0) = inf;
near = r2 < 6.25;
s = 1 ./ max(r2, 0.8).^3;
e = 4 * (s.^2 - s) .* near;
result = sum(e(:)) / n;
