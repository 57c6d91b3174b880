function r = small_gray_codes()
r = 0;
for k = 0:255
    g = bitxor(k, bitshift(k, -1)); b = g; s = bitshift(g, -1);
    while s > 0, b = bitxor(b, s); s = bitshift(s, -1); end
    r = r + (b == k)*mod(g*31, 17) + sum(dec2bin(g) == '1');
end
end
