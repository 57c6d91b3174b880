% oracle: MATLAB's layout
format rat
0.5, [1/3 2.25], 5
format short
