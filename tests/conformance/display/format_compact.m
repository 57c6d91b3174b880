% oracle: MATLAB's layout
format compact
x = 5
y = [1 2; 3 4]
s.a = 1
c = {1, 'a'}
z = []
format loose
