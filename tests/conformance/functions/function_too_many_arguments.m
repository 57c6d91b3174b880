function r = one(a), r = 1; end
try, one(1, 2), catch, disp('inputs'), end
try, [a, b] = one(1); catch, disp('outputs'), end
