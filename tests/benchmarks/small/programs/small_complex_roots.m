function r = small_complex_roots()
p = [1 -3 4 -2 7 1]; n = numel(p) - 1; z = (0.4 + 0.9i) .^ (0:n-1);
for it = 1:30
    for k = 1:n, z(k) = z(k) - polyval(p, z(k)) / prod(z(k) - z([1:k-1 k+1:n])); end
end
r = round(sum(abs(z))*1e6) + round(abs(sum(z))*1e6);
end
