int8(127) + int8(1)
uint8(3) - uint8(5)
int8(-128) * -1
-int8(-128)
abs(int8(-128))
