% oracle: MATLAB's layout
m = containers.Map({'a'}, {1});
disp(m.Count)
m
