% oracle: MATLAB's layout
a = 1 + 2i
b = [1 + 2i, 3.5 - 1i]
c = 1000.5 + 2i
e = complex(1, 0)
