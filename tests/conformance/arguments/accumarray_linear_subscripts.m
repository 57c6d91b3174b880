disp(accumarray([1; 4; 6; 1], [1; 2; 3; 4], [2 3]))
disp(accumarray([1; 4; 6; 1], [1; 2; 3; 4], [2 3], @max))
disp(accumarray([1; 2; 1], [1; 2; 3], [1 4]))
try, accumarray([1; 7], 1, [2 3]), catch, disp('too many'), end
disp(linspace(int8(-128), int8(127), 4)), disp(linspace(uint8(0), 255, 3))
