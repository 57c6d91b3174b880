func2str(@sin), f = str2func('@(x) x + 1'); disp(f(1)); g = str2func('max'); disp(g([1 5])); class(f)
