function r = small_fraction_sums()
f = [0 1];
for k = 1:18, f = add(f, [1 k]); end
r = sprintf('%d/%d', f(1), f(2));
end
function c = add(a, b)
c = [a(1)*b(2) + b(1)*a(2), a(2)*b(2)]; g = gcd(c(1), c(2)); c = c / g;
end
