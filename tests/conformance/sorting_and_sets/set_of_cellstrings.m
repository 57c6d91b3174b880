unique({'b', 'a', 'b'}), ismember('a', {'a', 'b'}), union({'a'}, {'c', 'b'}), setdiff({'a', 'b'}, {'a'})
