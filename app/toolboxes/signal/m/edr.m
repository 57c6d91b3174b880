function d = edr(x, y, tol)
% d = edr(x, y, tol): how many samples must be inserted, left out or replaced to make two signals the same;
%   samples at most tol apart are the same.
if iscolumn(x), x = x.'; end
if iscolumn(y), y = y.'; end
[n, m] = deal(size(x, 2), size(y, 2));
row = 0:m;
for i = 1:n
    above = row;
    row(1) = i;
    same = sqrt(sum(abs(x(:, i) - y).^2, 1)) <= tol;
    for j = 1:m
        row(j + 1) = min([above(j) + ~same(j), above(j + 1) + 1, row(j) + 1]);
    end
end
d = row(end);
end
