c = {1, 2, 3}; c{2} = []; disp(numel(c)); c(2) = []; disp(numel(c)); c = {}; disp(isempty(c));
