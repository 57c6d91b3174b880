% oracle: MATLAB's layout
s.name = 'Ann'; s.age = 30; s.v = [1 2 3]; s.c = {1, 2}; s.n.x = 1; s.e = []; s.big = magic(4); s.f = @sin; s.t = true;
s
