x = 5; try, x{1}, catch, disp('brace'), end
c = {1}; try, c + 1, catch, disp('no plus'), end
try, if c, end, catch, disp('no truth'), end
