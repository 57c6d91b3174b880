s = struct('a', 1, 'b', 'x', 'c', {{1}}); for f = fieldnames(s)', printf('%s:%s ', f{1}, class(s.(f{1}))); end, printf('\n');
