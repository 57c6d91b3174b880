c = cell(1, 2, 2); size(c), c{1, 2, 2} = 5; c{end}, n = cellfun(@isempty, c); size(n), sum(n(:))
