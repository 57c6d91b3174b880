'abc' == 'abd'
'a' < 'b'
strcmp('abc', 'ABC'), strcmpi('abc', 'ABC'), strncmp('abcdef', 'abcxyz', 3)
