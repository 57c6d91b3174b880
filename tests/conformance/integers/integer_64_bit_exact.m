% oracle: literals are doubles
a = int64(9007199254740993)
a + int64(1)
uint64(18446744073709551615) - uint64(1)
