% oracle: MATLAB's layout
format shortE
pi, [1 20.5]
format longE
pi
format short
