for k = 1:3, fprintf('%d ', k); end, fprintf('\n'); for k = 10:-4:1, fprintf('%d ', k); end, fprintf('\n');
for k = 0:0.5:2, fprintf('%g ', k); end, fprintf('\n'); n = 0; for k = 1:0, n = n + 1; end, disp(n); disp(isempty(k));
for k = 5, disp(k); end, for k = 1:3, k = k * 10; fprintf('%d ', k); end, fprintf('\n'); disp(k);
