function r = small_outlier_mask()
r = 0; for s = 1:60, x = mod((1:40)*s*7, 97); x(5) = 500; m = mean(x); d = std(x); keep = abs(x - m) < 2*d; x = x(keep); x(x < 10) = 0; r = r + sum(x) + nnz(~keep); end
end
