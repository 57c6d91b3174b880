strcat('a ', 'b'), strcat({'a '}, 'b'), strcat({'x', 'y'}, {'1', '2'}), [num2str(5) 'px'], strvcat('a', 'bcd')(2, :)
