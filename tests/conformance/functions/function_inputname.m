% oracle: an expression has no name
function show(a, b), fprintf('[%s] [%s]\n', inputname(1), inputname(2)); end
x = 1; y = 2; show(x, y); show(x, 3);
