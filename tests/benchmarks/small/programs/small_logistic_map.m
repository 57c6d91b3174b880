function r = small_logistic_map()
r = 0; for a = 2.5:0.01:4, x = 0.5; for k = 1:100, x = a*x*(1 - x); end, r = r + (x > 0.5); end
end
