true || false && false
~1 == 0
!true + 1
xor(true, false), any([0 1]), all([1 0]), not(false), and(1, 0), or(1, 0)
