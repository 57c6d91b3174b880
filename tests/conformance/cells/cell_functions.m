c = {3, 'ab', [1 2]}; cellfun(@numel, c), cellfun(@isempty, {[], 1, ''}), cellfun(@(x) x * 2, {1, 2}, 'UniformOutput', false); iscellstr({'a', 'b'}), cellfun('length', c)
