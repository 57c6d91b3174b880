size(ones(2, 3, 1)), size(zeros(1, 1, 3)), ndims(ones(2, 1, 1)), size(ones(2, 3, 1, 2))
