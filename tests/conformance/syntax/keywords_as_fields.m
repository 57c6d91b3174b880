s.end = 1; disp(s.end); s.if = 2; disp(s.if); s.for = 3; s.x.while = 4; disp(s.for + s.x.while); t = s.end + 1; disp(t); s.function = @(x) x; disp(s.function(7)); n = fieldnames(s); disp(n{1});
