function [c, d] = cophenet(z, y)
% [c, d] = cophenet(z, y): the correlation of the distances y with those at which the tree z joins, and these.
n = size(z, 1) + 1;
d = zeros(n);
members = [num2cell(1:n) cell(1, n - 1)];
for k = 1:n - 1
    [a, b] = deal(members{z(k, 1)}, members{z(k, 2)});
    d(a, b) = z(k, 3);
    d(b, a) = z(k, 3);
    members{n + k} = [a b];
end
d = squareform(d);
r = corrcoef(y(:), d(:));
c = r(1, 2);
end
