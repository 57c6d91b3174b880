a = 1; b = 2; c = 3; clear a b; disp(exist('a')); disp(c); clear; disp(exist('c'));
