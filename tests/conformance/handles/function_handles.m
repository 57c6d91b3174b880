f = @sin; disp(func2str(f)); g = str2func('@(x) x + 1'); disp(g(1)); h = str2func('cos'); disp(h(0)); disp(is_function_handle(f)); disp(isa(f,'function_handle'));
disp(cellfun(@numel, {'ab','c',''})); disp(arrayfun(@(x) x^2, 1:4)); c = cellfun(@(x) [x 'z'], {'a','b'}, 'UniformOutput', false); disp(c{2});
disp(isequal(f, @sin)); [mx, ix] = cellfun(@max, {[1 5 2],[7 3]}); disp([mx; ix]);
