xor([1 0], [1 1]), any(isnan([1 NaN])), nnz([1 0 2]), islogical(true), true(2), ifelse_ = merge(true, 1, 2), all([]), isequal([1 2], [1 2], [1 2])
