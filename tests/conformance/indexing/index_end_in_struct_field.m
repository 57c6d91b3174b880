s.v = [4 5 6]; s.c = {1, [7 8 9]};
disp(s.v(end));
disp(s.c{end}(end - 1));
s.v(end + 1) = 10; disp(s.v);
