% oracle: MATLAB takes the first of several values
c = {4, 5, 6};
x = c{:}
s = struct('v', {7, 8}); y = s.v
