% oracle: MATLAB's layout
a = [-1 2; 3 -4]
b = [-1.5 2]
c = -[1 2 3]
d = [0.1 -0.01]
