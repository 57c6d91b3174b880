c = {1, {2, {3, 'deep'}}}; disp(c{2}{2}{2}); disp(c{2}{2}{1}); c{2}{2}{1} = 33; disp(c{2}{2}{1});
c{2}{3} = 'new'; disp(numel(c{2})); c{4}{2} = 5; disp(size(c)); disp(size(c{4})); disp(isempty(c{3}));
d{2}.name = 'bob'; disp(d{2}.name); d{3}(4) = 1; disp(d{3}); x = {[1 2 3]}; x{1}(2) = 20; disp(x{1});
