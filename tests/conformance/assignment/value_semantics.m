a = [1 2 3]; b = a; b(1) = 100; disp(a); disp(b); s.x = a; s.x(2) = 50; disp(a); c = {a}; c{1}(3) = 7; disp(a); disp(c{1});
t = s; t.x(1) = -1; disp(s.x); d = c; d{1} = 'gone'; disp(c{1}); f = a; a(end+1) = 4; disp(f); disp(a);
