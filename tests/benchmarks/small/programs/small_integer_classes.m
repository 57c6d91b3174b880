function r = small_integer_classes()
a = uint8(0); r = 0; for k = 1:3000, a = a + uint8(7); if a == 255, a = uint8(0); end, r = r + double(a); end
end
