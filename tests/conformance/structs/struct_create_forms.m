s = struct('a', 1, 'b', 'txt'); disp(s.b);
t = struct('a', {{1, 2}}); disp(size(t)); disp(class(t.a));
u = struct(); disp(numel(fieldnames(u)));
v = struct('x', {}); disp(size(v));
