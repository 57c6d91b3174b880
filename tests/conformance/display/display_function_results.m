% oracle: MATLAB's layout
[m, i] = max([3 9 2])
[q, r] = deal('a', {1})
size(ones(2, 3))
