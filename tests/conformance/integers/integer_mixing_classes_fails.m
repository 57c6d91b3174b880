try, int8(1) + int16(1), catch e, disp('mixed'), end
try, int8([1 2]) .* uint8([1 2]), catch, disp('mixed'), end
