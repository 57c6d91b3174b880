% oracle: classes
addpath('support'); p = Point(1, 2); n = 'x'; p.(n) = 42; disp(p.x); disp(isprop(p, 'x')); disp(isprop(p, 'zz'));
