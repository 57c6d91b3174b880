v = 1:3; v(false(1, 3)) = []; disp(v);
