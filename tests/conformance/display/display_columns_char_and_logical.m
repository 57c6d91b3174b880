% oracle: MATLAB's layout
b = true(2, 3)
s = repmat('ab', 2, 3)
e = false(1, 0)
