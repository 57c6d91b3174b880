function y = mnpdf(x, p)
% y = mnpdf(x, p): the chance of counts x in rows when single outcomes have the chances p.
n = sum(x, 2);
y = exp(gammaln(n + 1) - sum(gammaln(x + 1), 2) + sum(x.*log(max(p, realmin)), 2));
y(any(x < 0 | x ~= fix(x), 2)) = 0;
y(abs(sum(p, 2) - 1) > 1e-6 & true(size(n))) = NaN;
end
