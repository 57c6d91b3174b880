intmax
intmin('int8')
intmax('uint64')
double(intmax('int64'))
