% oracle: MATLAB's layout
format shortG
pi, [pi 1e6 1e-6], 123456.789, [1 2.5 1000], 1e10
format short
