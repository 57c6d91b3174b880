% oracle: MATLAB's layout
z = [1.5+2i, -3.25-4i]
y = 2i
