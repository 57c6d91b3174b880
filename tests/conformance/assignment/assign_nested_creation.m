clear a; a.b.c{3}.d(2) = 7;
disp(class(a.b)); disp(size(a.b.c)); disp(a.b.c{3}.d);
