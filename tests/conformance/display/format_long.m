% oracle: MATLAB's layout
format long
pi, single(pi), [pi; exp(1)], 1/3, 100.5, 1e-5, 5
format short
