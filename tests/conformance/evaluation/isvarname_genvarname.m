% oracle: names begin with a letter
isvarname('abc'), isvarname('1a'), isvarname('for'), isvarname('_a')
