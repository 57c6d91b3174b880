% oracle: MATLAB's layout
a = ['abc'; 'def']
b = 'x'
c = ['a', char(9), 'b'];
size(c)
