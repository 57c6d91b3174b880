% oracle: MATLAB's layout
format long
[1/3 2/3]
[1 2 3]
[1000.5 1]
single(1/3)
1/3 + 1i
format
