c = {}; c{end + 1} = 'x'; c{end + 1} = 'y'; disp(numel(c)); c{5} = 1; disp(size(c)); disp(isempty(c{4})); c{2, 2} = 3; disp(size(c));
