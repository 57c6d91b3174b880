% oracle: MATLAB's layout
f = @(x) x .^ 2 + 1
g = @sin
h = {f, g}
