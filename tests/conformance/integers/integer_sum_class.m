class(sum(int8([100 100])))
sum(int8([100 100]))
class(mean(int8([1 2])))
class(sum([true true]))
