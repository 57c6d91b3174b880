% oracle: MATLAB's layout
a = [1.5 22.25 333.125]
b = [0.01 10]
c = [1e-5 1]
d = [1e3 1e-3]
