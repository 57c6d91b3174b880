f = @(v) max(v); [m, i] = f([4 9 2]); disp([m i]); g = @() deal(1, 2); [p, q] = g(); disp(q);
