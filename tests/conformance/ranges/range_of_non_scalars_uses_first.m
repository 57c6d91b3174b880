% oracle: only the first elements count
x = (1:3)([1 2]); disp(x);
[1 2]:4
