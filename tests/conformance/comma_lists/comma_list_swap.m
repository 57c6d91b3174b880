a = 1; b = 2;
[a, b] = deal(b, a); disp([a b]);
c = {5, 6}; [p, q] = c{:}; disp([p q]);
