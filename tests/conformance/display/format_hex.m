% oracle: MATLAB's layout
format hex
pi, 1, single(1), int8(-1), [1 2]
format short
