sortrows([3 1; 1 2; 1 1]), sortrows([3 1; 1 2; 1 1], -2), issorted([1 2 2 3]), [r, k] = sortrows({'b'; 'a'})
