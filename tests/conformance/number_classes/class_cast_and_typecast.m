cast(3.7, 'int8')
typecast(single(1), 'uint32')
typecast(uint8([0 0 128 63]), 'single')
class(cast(1, 'like', single(2)))
