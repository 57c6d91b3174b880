function r = small_roman_numerals()
v = [1000 900 500 400 100 90 50 40 10 9 5 4 1]; t = {'M','CM','D','CD','C','XC','L','XL','X','IX','V','IV','I'}; r = 0;
for k = 1:200, n = k; s = ''; for j = 1:13, while n >= v(j), s = [s t{j}]; n = n - v(j); end, end, r = r + numel(s); end
end
