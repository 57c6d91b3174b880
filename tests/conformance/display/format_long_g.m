% oracle: MATLAB's layout
format longG
pi, [pi 1e6], 1/3, single(1/3), 0.1
format short
