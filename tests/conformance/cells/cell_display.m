% oracle: MATLAB's layout
c = {1, 'abc', [1 2 3]; {2, 'x'}, @sin, true}
d = {int8(5), single(2.5), 1+2i, [], {}, ''}
e = cell(2, 2)
