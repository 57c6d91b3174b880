% oracle: classes
addpath('support'); p = Point(1, 2); q = p; q.x = 10; disp([p.x q.x]); c = {p}; c{1}.x = 5; disp(p.x); s.p = p; s.p.y = 7; disp([p.y s.p.y]);
