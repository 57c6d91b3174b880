function r = sgn(x), if x > 0, r = 1; return, end, if x < 0, r = -1; return, end, r = 0; end
disp([sgn(5) sgn(-2) sgn(0)]);
