function r = small_binary_text()
r = 0; for k = 1:250, b = dec2bin(k); r = r + sum(b == '1') + bin2dec(b); end
end
