size(repmat([1 2], [2 1 2])), s = repmat(struct('a', 1), 1, 3); numel(s), size(cat(3, 'a', 'b')), size(zeros(2, 0, 3)), numel(zeros(2, 0, 3))
