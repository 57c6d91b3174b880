function r = small_vigenere()
msg = 'ATTACKATDAWNANDRETREATATDUSK'; key = 'LEMON'; r = 0;
for n = 1:40
    k = key(mod(0:numel(msg)-1, numel(key)) + 1);
    c = char(mod(msg - 'A' + k - 'A', 26) + 'A'); d = char(mod(c - k, 26) + 'A');
    r = r + strcmp(d, msg) + sum(c);
end
end
