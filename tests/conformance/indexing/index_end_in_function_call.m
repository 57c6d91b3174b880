v = 1:10;
disp(v(min(end, 20)));
disp(v(max(1, end - 2):end));
disp(v(floor(end / 2)));
