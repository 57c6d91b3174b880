% oracle: MATLAB's layout
a = 1, b = 2; c = 3
