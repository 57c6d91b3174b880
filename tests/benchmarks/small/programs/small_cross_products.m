function r = small_cross_products()
s = [0 0 0]; for k = 1:400, s = s + cross([k 1 2], [3 k 4]); end
r = sum(s);
end
