bsxfun(@plus, [1 2], [10; 20])
bsxfun(@max, [1 5], [3; 4])
