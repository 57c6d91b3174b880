class([int8(1) int16(2)])
[int8(100) 200.6]
class([single(1) int8(2)])
