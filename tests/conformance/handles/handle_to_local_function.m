function r = twice(x), r = 2 * x; end
f = @twice; disp(f(4)); disp(cellfun(@twice, {1, 2})); disp(func2str(f)); disp(arrayfun(f, 1:3));
