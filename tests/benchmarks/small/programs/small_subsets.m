function r = small_subsets()
n = 12; w = mod((1:n)*7, 13); r = 0; for m = 0:2^n-1, s = 0; for k = 1:n, if bitand(m, 2^(k-1)), s = s + w(k); end, end, r = r + (s == 30); end
end
