% oracle: NaN is first when descending
sort([NaN 1 3 2], 'descend'), sort([1 NaN 2])
