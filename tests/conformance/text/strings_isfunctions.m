ischar('a'), iscellstr({'a', 1}), isletter('a1'), isdigit('a1'), isupper('aB'), isspace(' a'), isstrprop('a1', 'digit'), validatestring('r', {'red', 'blue'})
