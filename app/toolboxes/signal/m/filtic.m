function zi = filtic(b, a, y, x)
% zi = filtic(b, a, y, x): the initial state for filter, from past outputs y and past inputs x, the newest first.
if nargin < 4, x = []; end
na = numel(a) - 1;
nb = numel(b) - 1;
n = max(na, nb);
y = [y(:); zeros(na - numel(y), 1)];
x = [x(:); zeros(nb - numel(x), 1)];
a = [a(:); zeros(n - na, 1)]/a(1);
b = [b(:); zeros(n - nb, 1)]/a(1);
zi = zeros(n, 1);
for k = 1:n
    for j = k:n
        if j - k + 1 <= nb, zi(k) = zi(k) + b(j + 1)*x(j - k + 1); end
        if j - k + 1 <= na, zi(k) = zi(k) - a(j + 1)*y(j - k + 1); end
    end
end
end
