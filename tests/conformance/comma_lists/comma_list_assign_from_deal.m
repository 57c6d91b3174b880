[c{1:3}] = deal(0); disp(c);
s = struct('a', {1, 2}); [s.a] = deal('x', 'y'); disp([s.a]);
[s.b] = deal(5); disp([s.b]);
