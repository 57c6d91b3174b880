n = 5; while n, n = n - 2; if n < 0, break, end, end, disp(n);
k = 0; while k < 3 && true, k = k + 1; end, disp(k); while [], disp('never'); end, while [1 0], disp('never'); end
