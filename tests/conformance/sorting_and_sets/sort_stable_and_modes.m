[s, i] = sort([3 1 2 1]), sort([3 1 2], 'descend'), sort([2 NaN 1]), sort({'b', 'a', 'C'})
