n = 0; for k = 1:4, try, if mod(k, 2), error('odd'); end, n = n + k; catch, continue, end, end, disp(n);
for k = 1:3, try, break, catch, end, end, disp(k);
