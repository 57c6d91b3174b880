% oracle: MATLAB's layout
a = [1; 2; 3]
b = [0.5; 100.25]
c = (1:3)' / 7
