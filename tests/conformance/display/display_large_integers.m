% oracle: MATLAB's layout
a = 1e5
b = 100000.5
c = 999999999
d = 1e9
e = 2^53
f = [1e5 2e5]
