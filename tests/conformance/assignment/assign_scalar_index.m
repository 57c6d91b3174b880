x = zeros(1,3); x(2) = 5; disp(x); x(5) = 1; disp(x); x(end+1) = 9; disp(x);
y(3) = 4; disp(y); clear z; z(2,3) = 1; disp(z); w = []; w(end+1) = 1; w(end+1) = 2; disp(w);
c = (1:3)'; c(5) = 7; disp(c'); disp(size(c)); k = 3; k(2) = 4; disp(k);
