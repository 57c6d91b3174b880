for i = 1:3, for j = 1:3, if j == 2, continue, end, if i == 2, break, end, fprintf('%d%d ', i, j); end, end, fprintf('\n');
