sort([3 1; 2 4]), sort([3 1; 2 4], 2), [s, i] = sort([3 1; 2 4], 1, 'descend')
