% oracle: MATLAB's layout
a = []
b = zeros(0, 3)
c = ''
d = {}
e = cell(0, 2)
f = zeros(3, 0)
g = char(zeros(0, 3))
h = zeros(0, 1)
k = zeros(0, 3, 2)
