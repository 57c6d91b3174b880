a = 1:3; b = 1:7;
disp(b(a(end)));
disp(b(end - a(end)));
c = {a, b};
disp(c{end}(end));
