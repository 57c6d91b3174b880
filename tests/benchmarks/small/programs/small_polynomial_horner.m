function r = small_polynomial_horner()
c = [1 -2 3 -4 5]; r = 0; for x = 0:0.001:2, y = 0; for k = 1:5, y = y*x + c(k); end, r = r + y; end
end
