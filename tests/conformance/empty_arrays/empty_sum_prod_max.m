sum([]), prod([]), max([]), sum(zeros(0, 3)), prod(zeros(3, 0)), min(zeros(0, 3))
