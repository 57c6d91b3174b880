[a, b, c] = size(ones(2, 3, 4)); disp([a b c]); [x(1), x(2)] = deal(5, 6); disp(x); [s.m, s.i] = max([1 7 3]); disp([s.m s.i]); [d{1:2}] = min([4 2]); disp(d{2});
