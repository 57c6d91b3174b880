strcmp({'a', 'b'}, 'a'), strcmp({'a', 'b'}, {'a', 'c'}), strncmpi('ABc', 'abd', 2), strcmp('a', 5), ismember('b', 'abc'), any(strcmp('x', {'y', 'x'}))
