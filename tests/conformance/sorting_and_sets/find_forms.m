find([0 3 0 5]), find([0 1; 1 1])', [r, c] = find([0 1; 1 0]), find([1 1 1], 2), find([1 1 1], 1, 'last'), [r, c, v] = find([0 7])
