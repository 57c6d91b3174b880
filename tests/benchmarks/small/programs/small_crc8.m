function r = small_crc8()
data = uint8('The quick brown fox'); crc = uint8(0);
for b = data
    crc = bitxor(crc, b);
    for k = 1:8
        if bitand(crc, 128), crc = bitxor(bitshift(crc, 1), uint8(7)); else, crc = bitshift(crc, 1); end
    end
end
r = double(crc);
end
