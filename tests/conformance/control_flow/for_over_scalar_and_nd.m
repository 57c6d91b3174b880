for k = 5, disp(k); end
n = 0; for k = ones(2, 2, 3), n = n + 1; end, disp(n); disp(size(k));
