'a' == 97, 'abc' > 'b', max('hello'), sort('hello'), unique('hello'), sum('a'), any('abc' == 'c')
