% dialect: matlab
% oracle: layouts are MATLAB's
a = sparse([1 2 3], [1 2 3], [1 2.5 300]), b = sparse([1 2], [1 2], [1 2]), c = sparse([1 2], [2 1], [1 + 2i, -3.5]), d = sparse(2, 3), e = sparse([true false; false true]), f = sparse(5) * 2
