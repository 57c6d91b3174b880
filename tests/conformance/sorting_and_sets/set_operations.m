union([3 1], [2 1]), intersect([1 2 3], [2 3 4]), setdiff([1 2 3], 2), setxor([1 2], [2 3]), unique([3 1 1 2])
