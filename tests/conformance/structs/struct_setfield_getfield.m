s = setfield(struct(), 'a', 4); disp(getfield(s, 'a')); s = setfield(s, 'b', 'c', 7); disp(s.b.c);
