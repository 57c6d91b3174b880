pick = {'no', 'yes'}; disp(pick{(3 > 2) + 1}); x = 5; y = (x > 3) * 10 + (x <= 3) * 20; disp(y); v = [1 2 3]; v(v == 2) = []; disp(v);
