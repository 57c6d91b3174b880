[m, i] = cellfun(@max, {[1 5 2], [7 3]}); disp(m); disp(i);
r = cellfun(@(a, b) a + b, {1, 2}, {10, 20}); disp(r);
