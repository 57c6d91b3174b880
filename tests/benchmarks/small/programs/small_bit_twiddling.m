function r = small_bit_twiddling()
r = 0; for k = 1:2000, r = bitxor(r, bitshift(mod(k*31, 1024), 1)); end
end
