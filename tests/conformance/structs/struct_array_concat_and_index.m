a = struct('x', 1); b = struct('x', 2); s = [a, b, a];
disp(numel(s)); disp(s(2).x); t = s(end:-1:1); disp([t.x]); s(2).x = 9; disp(s(2).x);
