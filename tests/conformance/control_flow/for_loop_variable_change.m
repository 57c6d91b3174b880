for k = 1:3, k = k * 10; fprintf('%d ', k); end, fprintf('\n'); disp(k);
