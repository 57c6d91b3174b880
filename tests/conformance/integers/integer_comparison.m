% oracle: literals are doubles
int8(5) == 5.0
uint8(200) > int8(100)
int64(9007199254740993) == 9007199254740992
