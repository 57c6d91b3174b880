% oracle: MATLAB's layout
s = struct('a', {1, 2}, 'b', 'x')
e = struct('a', {})
n = struct()
