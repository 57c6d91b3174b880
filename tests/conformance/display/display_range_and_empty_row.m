% oracle: MATLAB's layout
a = 1:5
b = 1:0
c = 0:0.25:0.5
