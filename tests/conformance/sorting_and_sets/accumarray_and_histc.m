accumarray([1; 2; 1], [10; 20; 30]), accumarray([1 1; 2 2; 1 1], [1; 2; 3]), histc([1 2 2 3], 1:3), accumarray([1; 3], 1, [4 1])'
