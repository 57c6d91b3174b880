% oracle: MATLAB's layout
x = [1 100000]
y = [1 1000000 -5]
z = 123456789
w = 1e15
v = 1e16
u = [1e9 1]
t = -0
