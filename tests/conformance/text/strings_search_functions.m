strfind('abcabc', 'bc'), strrep('hello', 'l', 'LL'), strtok('one two'), [t, r] = strtok('a,b', ','), upper('aB'), fliplr('abc'), strtrim("  x "), isspace('a b'), regexp('ab12', '\d+', 'match')
