isequal({1, 'a'}, {1, 'a'}), x = [{1}, {}, {2}]; disp(numel(x)); y = [x; {3, 4}]; disp(size(y)); z = {x{:}, 5}; disp(numel(z));
