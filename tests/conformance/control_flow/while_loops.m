k = 0; while k < 3, k = k + 1; end, disp(k); while true, k = k - 1; if k < 0, break, end, end, disp(k);
x = [1 1 1]; n = 0; while x, n = n + 1; x(1) = 0; end, disp(n); n = 5; while n, n = n - 1; end, disp(n); while [], disp('never'); end
a = 1; b = 1; while a < 50 && b < 1000, a = a * 2; b = b * 3; end, disp([a b]);
