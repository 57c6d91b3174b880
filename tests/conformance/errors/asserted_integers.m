assert(uint8([1 2 3]), uint8([1 3 3]), 1), disp('near')
try, assert(uint8([5 2]), uint8([2 2]), 1), catch, disp('far'), end
try, assert(uint8([5 2]), uint8([2 2])), catch, disp('not the same'), end
assert(int16([100 -200]), int16([101 -201]), -0.01), disp('near, relatively')
try, assert(int16([100 -200]), int16([40 -201]), -0.01), catch, disp('far, relatively'), end
assert([true false], [true false], 0), disp('the same')
