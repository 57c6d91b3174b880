int8(2) ^ 7
int32(2) .^ [1 2 3]
mod(int8(-7), int8(3))
rem(int8(-7), int8(3))
