% dialect: matlab
% oracle: layouts are MATLAB's
a = cat(3, int8([1 2]), int8([3 -4])), b = cat(3, {1, 'x'}, {[], {2}}), c = cat(3, ['ab'; 'cd'], ['ef'; 'gh']), d = cat(3, true, false), e = cat(3, "s", "t"), f = cat(3, 1 + 2i, 3), g = single(cat(3, 1.5, 2)), h = zeros(2, 0, 3), k = cat(4, 1, 2)
