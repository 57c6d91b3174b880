i = int8([1 2 3]); i(2) = 300
s = single([1 2]); s(3) = pi; class(s)
c = 'abc'; c(2) = 'X'
