isequal(struct('a', 1, 'b', 2), struct('b', 2, 'a', 1))
isequal(struct('a', 1), struct('a', 2))
