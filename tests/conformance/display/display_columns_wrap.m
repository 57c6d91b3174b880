% oracle: MATLAB's layout
x = 1:30
y = (1:12) * 1000.5
