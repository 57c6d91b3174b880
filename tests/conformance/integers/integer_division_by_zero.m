int32(5) / int32(0)
int32(-5) / int32(0)
int32(0) / int32(0)
uint8(1) / 0
