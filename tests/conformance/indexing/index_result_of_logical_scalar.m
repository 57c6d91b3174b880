x = 5;
disp(x(true));
disp(size(x(false)));
