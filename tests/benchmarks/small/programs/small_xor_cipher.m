function r = small_xor_cipher()
text = 'attack at dawn, retreat at dusk'; key = 'lemon'; k = uint8(key(mod(0:numel(text)-1, numel(key)) + 1));
c = bitxor(uint8(text), k); hex = sprintf('%02x', c); back = zeros(1, numel(hex)/2, 'uint8');
for j = 1:numel(back), back(j) = hex2dec(hex(2*j-1:2*j)); end
r = [hex ' ' char(bitxor(back, k))];
end
