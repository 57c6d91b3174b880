[c, ia, ib] = intersect([5 1 3], [3 5]), [u, i, j] = unique([10 20 10]);
disp(u); disp(j(:)'); [tf, loc] = ismember([1 5 2], [2 1])
