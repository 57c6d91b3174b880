function [a, b, c] = three(), a = 1; b = 2; c = 3; end
[~, x] = three(); disp(x); [~, ~, y] = three(); disp(y); [p, ~] = three(); disp(p);
