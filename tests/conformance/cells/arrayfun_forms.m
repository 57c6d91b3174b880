% oracle: cells are displayed in MATLAB form
arrayfun(@(x) x ^ 2, [1 2; 3 4]), arrayfun(@(x, y) x + y, [1 2], [3 4]), arrayfun(@(x) {x}, 1:2, 'UniformOutput', false), [a, b] = arrayfun(@(x) deal(x, -x), 1:2), structfun(@(v) v * 2, struct('a', 1, 'b', 2))
