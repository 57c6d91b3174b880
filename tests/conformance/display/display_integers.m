% oracle: MATLAB's layout
a = int8(-5)
b = uint16([1 200; 30 4])
c = int32([])
d = int8([-100 5])
e = zeros(0, 3, 'int16')
