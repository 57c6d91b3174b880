function r = small_interpolation()
r = 0; x = 0:10; y = x.^2; for k = 1:100, r = r + interp1(x, y, k/10 - 0.05); end
end
