for i = 1:5, if i == 2, continue; end, if i == 4, break; end, fprintf('%d ', i); end, fprintf('\n'); disp(i);
for i = 1:3, for j = 1:3, if j == 2, break; end, fprintf('%d%d ', i, j); end, end, fprintf('\n');
s = 0; for i = 1:100, if mod(i,3), continue, end, s = s + i; end, disp(s);
