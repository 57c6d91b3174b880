disp(feval('plus', 1, 2)); disp(feval(@(x) x * 2, 4)); f = 'numel'; disp(feval(f, [1 2 3])); [a, b] = feval('min', [5 2]); disp([a b]);
