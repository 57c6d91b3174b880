% oracle: MATLAB's layout
t = 1 == 1
f = ~t
n = [t f t]
