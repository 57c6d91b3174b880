int8(5) * 2.6
10.7 + uint8(250)
class(int16(1) + true)
class(uint8(1) + 'a')
