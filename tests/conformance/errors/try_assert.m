try, assert(false); catch, disp('assert'), end
try, assert(1 == 2, 'is %d', 5); catch e, disp(e.message), end
assert(true);
