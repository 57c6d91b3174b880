% oracle: bitand expands
max([1 5 3], [4; 2])
bitand(uint8([1 3]), uint8([1; 2]))
mod([5 6 7], [2; 3])
atan2([0 1], [1; 0])
