size(sum(zeros(0, 3), 1)), size(sum(zeros(0, 3), 2)), size(cumsum(zeros(0, 3))), size(max(zeros(0, 3), [], 2))
