% dialect: matlab
% oracle: layouts, column widths and scale factors are MATLAB's
format shorte
x = pi, y = -1/3, z = 1e10, w = [1 1000.5 0.001], v = [1e-5; 1e5], i = int8([1 -2; 100 3]), s = single(pi)
c = 1 + 2i, d = [0.5-1i 100], e = zeros(0, 3), n = cat(3, [1 2], [3.5 4]), l = [true false], q = [NaN Inf 1], b = {pi, int8(5), 'a'}
t.a = pi; t.b = [1.5 2]; t, u = uint8(7)
format
