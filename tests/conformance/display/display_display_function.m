% oracle: MATLAB's layout
x = 3; display(x); y = 'q'; display(y)
