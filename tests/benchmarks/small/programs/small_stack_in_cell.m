function r = small_stack_in_cell()
c = {}; for k = 1:300, c{end+1} = k; if mod(k, 3) == 0, c(end) = []; end, end
r = sum([c{:}]);
end
