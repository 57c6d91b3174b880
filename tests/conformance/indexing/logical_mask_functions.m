v = [3 NaN 1]; v(isnan(v)) = 0, any(v), all(v > -1), nnz(v), find(v, 1), v(~v) = -1, cumsum(v > 0), sum(v(v > 0))
