function r = small_random_generator()
s = 12345; c = 0;
for k = 1:20000, s = mod(1103515245*mod(s, 65536) + 12345, 2147483648); c = c + (mod(s, 6) == 0); end
r = c;
end
