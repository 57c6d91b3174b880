% dialect: matlab
% oracle: layouts are MATLAB's
format compact
x = pi, m = magic(3), i = int8([1 -2]), c = {1, 'a'; [1 2 3], {}}, s.a = 1, t = 'text', l = true, e = [], n = ones(2, 1, 2), z = 1:0, f = @(x) x + 1, str = "abc"
f = format; f.LineSpacing, format(f), format loose
f = format; f.NumericFormat
