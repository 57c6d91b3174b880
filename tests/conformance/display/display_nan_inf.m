% oracle: MATLAB's layout
a = [1 NaN Inf]
b = [1.5 NaN -Inf]
c = NaN
d = -Inf
e = [NaN NaN]
f = [Inf 1e6 0.5]
