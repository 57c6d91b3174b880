% oracle: MATLAB's layout
a = 0.1
b = 100.125
c = 1000.5
d = 99999.5
e = 100000.5
f = 0.001
g = 0.0001
h = -pi
k = 1e-10
l = 12345.678
