max([1 NaN 3]), min([NaN NaN]), max(NaN, 1), max([1 2; 3 4], 2), sum([1 NaN]), max([], [], 2)
