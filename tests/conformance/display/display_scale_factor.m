% oracle: MATLAB's layout
x = [1 1000.5]
y = [0.001 0.0005]
z = [1e5 1.5]
w = [1e-3 1]
u = [1e10 1]
