% oracle: MATLAB's layout
format bank
pi, [1.005 200.5], -3
format short
