int8(1):int8(4)
class(int8(1):4)
uint8(10):-3:uint8(1)
