function r = small_roman_both()
v = [1000 900 500 400 100 90 50 40 10 9 5 4 1]; s = {'M','CM','D','CD','C','XC','L','XL','X','IX','V','IV','I'}; r = 0;
for n = 1:11:600
    t = ''; m = n; for k = 1:13, while m >= v(k), t = [t s{k}]; m = m - v(k); end, end
    d = zeros(1, numel(t)); for k = 1:numel(t), switch t(k), case 'M', d(k) = 1000; case 'D', d(k) = 500; case 'C', d(k) = 100; case 'L', d(k) = 50; case 'X', d(k) = 10; case 'V', d(k) = 5; otherwise, d(k) = 1; end, end
    back = 0; for k = 1:numel(d), if k < numel(d) && d(k) < d(k+1), back = back - d(k); else, back = back + d(k); end, end
    r = r + (back == n) + numel(t);
end
end
