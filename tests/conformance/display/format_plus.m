% oracle: MATLAB's layout
format +
[1 -2 0]
format short
