% oracle: MATLAB's layout
t = evalc('x = [1 2; 3 4]')
