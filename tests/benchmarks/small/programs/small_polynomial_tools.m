function r = small_polynomial_tools()
r = 0; for k = 1:12, p = conv([1 -k], [1 2 k]); q = polyder(p); z = roots(p); [d, m] = deconv(p, [1 -k]); r = r + sum(real(z)) + polyval(q, 2) + sum(d) + sum(abs(m)); end
end
