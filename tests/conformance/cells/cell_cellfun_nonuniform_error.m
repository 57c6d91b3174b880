try, cellfun(@(x) [x x], {1, 2}), catch, disp('not uniform'), end
