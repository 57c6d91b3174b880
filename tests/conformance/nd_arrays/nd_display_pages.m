% oracle: MATLAB's layout
A = reshape(1:8, 2, 2, 2)
B = cat(3, int8([1 2]), int8([3 4]))
